import { glob, readFile, realpath, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Row } from './measure.ts';

export interface BundleSize {
  /** All code that the entry reaches, in one chunk, as Rollup and Vite bundle it. */
  readonly first: number;
  /** Size with everything that is loaded on demand. */
  readonly everything: number;
}

export async function bundleSize(code: string): Promise<BundleSize> {
  const bundle = async (isWhole: boolean): Promise<number> => {
    const { outputFiles } = await build({
      stdin: { contents: code, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      minify: true,
      write: false,
      outdir: 'out',
      logLevel: 'silent',
      plugins: isWhole ? [] : [{ name: 'first', setup: (step) => step.onResolve({ filter: /./ }, leaveOut) }],
    });
    return outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
  };
  return { first: await bundle(false), everything: await bundle(true) };
}

const leaveOut = ({ kind, path }: { readonly kind: string; readonly path: string }) =>
  kind === 'dynamic-import' ? { path, external: true } : undefined;

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

interface Manifest {
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Bytes of each file that `npm install` of a package brings, by the name of its package and its path. */
export async function installedFiles(
  name: string,
  from: string = import.meta.url,
): Promise<Map<string, number>> {
  // Packages are found by folders, because some do not export their manifest to `import.meta.resolve`.
  const candidates = (createRequire(from).resolve.paths(name) ?? []).map((path) => join(path, name));
  const folder = (await Promise.all(candidates.map((path) => realpath(path).catch(() => undefined)))).find(
    Boolean,
  );
  if (folder === undefined) throw new Error(`${name} is not among the packages of ${from}`);
  const { files = [], dependencies = {} }: Manifest = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  // A dependency is on the disk as it was packed; a workspace lists in its manifest what it packs.
  const packed = ['package.json', 'README*', 'LICENSE*', ...files.flatMap((file) => [file, `${file}/**`])];
  const patterns = name.startsWith('@speech-api/') ? packed : ['**'];
  const sizes = new Map<string, number>();
  for await (const path of glob(patterns, { cwd: folder, exclude: ['node_modules', 'node_modules/**'] })) {
    const entry = await stat(join(folder, path));
    if (entry.isFile()) sizes.set(`${name} ${path}`, entry.size);
  }
  for (const dependency of Object.keys(dependencies)) {
    for (const [path, size] of await installedFiles(dependency, join(folder, 'package.json')))
      sizes.set(path, size);
  }
  return sizes;
}

export const sumOf = (files: Iterable<readonly [string, number]>): number =>
  [...files].reduce((sum, [, bytes]) => sum + bytes, 0);

export const isOurs = ([path]: readonly [string, number]): boolean => path.startsWith('@speech-api/');

const bundle: Row = {
  id: 'bundle',
  what: 'client bundle for browsers, minified + gzip',
  target: 'first load <= 19.2 KB, everything <= 28 KB',
  async measure() {
    const ours = await bundleSize(bundled.client);
    const references = {
      'openapi-fetch + eventsource-parser':
        (await bundleSize(bundled.openapiFetchAndParser)).everything / 1000,
      'openapi-fetch': (await bundleSize(bundled.openapiFetch)).first / 1000,
      'raw fetch': (await bundleSize(bundled.fetch)).first / 1000,
    };
    const result = (variant: string, bytes: number, limit: number) =>
      ({ variant, ours: bytes / 1000, unit: 'KB', references, met: bytes / 1000 <= limit }) as const;
    return [result('core + speech in JSON', ours.first, 19.2), result('everything', ours.everything, 28)];
  },
};

const installed: Row = {
  id: 'installed',
  what: 'installed size, with dependencies',
  target: '<= 0.8 MB and 110 files',
  async measure() {
    const ours = await installedFiles('@speech-api/client');
    const peer = await installedFiles('openapi-fetch');
    const megabytes = sumOf(ours) / 1e6;
    const references = { 'openapi-fetch': sumOf(peer) / 1e6 };
    return [
      { ours: megabytes, unit: 'MB', references, met: megabytes <= 0.8 },
      { ours: ours.size, unit: 'files', references: { 'openapi-fetch': peer.size }, met: ours.size <= 110 },
    ];
  },
};

export const sizes: readonly Row[] = [bundle, installed];
