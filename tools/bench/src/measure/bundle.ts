import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Bytes of a bundle for browsers, minified and compressed. */
export interface BundleSize {
  /** What is loaded at the start: the entry and what it imports statically. */
  readonly first: number;
  /** With everything that is loaded on demand. */
  readonly everything: number;
}

/** Bundles code as an application would, each chunk compressed separately. */
export async function bundleSize(code: string): Promise<BundleSize> {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: code,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      sourcefile: 'entry.js',
    },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    write: false,
    metafile: true,
    outdir: 'out',
    // The file helpers of Node are behind an entry of their own.
    logLevel: 'silent',
  });
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [
      path.split('/').at(-1) ?? '',
      gzipSync(contents, { level: 9 }).length,
    ]),
  );
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [path.split('/').at(-1) ?? '', output]),
  );
  const entry = [...outputs].find(([, { entryPoint }]) => entryPoint !== undefined)?.[0] ?? '';
  const first = new Set([entry]);
  for (const name of first) {
    for (const { path, kind } of outputs.get(name)?.imports ?? []) {
      if (kind === 'import-statement') first.add(path.split('/').at(-1) ?? '');
    }
  }
  const sum = (names: Iterable<string>) =>
    [...names].reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
  return { first: sum(first), everything: sum(sizes.keys()) };
}

/** The callers whose bundles are measured. */
export const bundled = {
  fetch: `export const speak = (url, key, text) => fetch(url + '/v1/tts', { method: 'POST',
    headers: { authorization: 'Bearer ' + key, model: 's2-pro', 'content-type': 'application/json' },
    body: JSON.stringify({ text }) }).then((answer) => answer.arrayBuffer());`,
  openapiFetch: `import createClient from 'openapi-fetch';
    export const speak = (baseUrl, key, text) => createClient({ baseUrl }).POST('/v1/tts', { body: { text },
      headers: { authorization: 'Bearer ' + key, model: 's2-pro' }, parseAs: 'arrayBuffer' });`,
  openapiFetchAndParser: `export { default } from 'openapi-fetch'; export { createParser } from 'eventsource-parser';`,
  client: `import { createSpeechClient } from '@speech-api/client';
    export const speak = (baseUrl, apiKey, text) =>
      createSpeechClient({ baseUrl, apiKey }).speech.create({ text }).then((audio) => audio.bytes());`,
};
