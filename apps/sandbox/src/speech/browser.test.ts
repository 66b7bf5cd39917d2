import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const entry = fileURLToPath(new URL('browser.ts', import.meta.url));

async function bundle() {
  const options = { bundle: true, format: 'esm', write: false, metafile: true, minify: true } as const;
  return build({ ...options, entryPoints: [entry], platform: 'browser', logLevel: 'silent' });
}

test('bundles for a browser: an import of Node would be an error', async () => {
  const { outputFiles, metafile } = await bundle();
  const external = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter((each) => each.external === true).map(({ path }) => path),
  );
  expect(external).toEqual([]);
  expect(outputFiles[0]?.text).not.toMatch(/\bnode:|\bBuffer\b|\bprocess\./);
});

test('brings neither encoders nor the resampler along', async () => {
  const { metafile } = await bundle();
  const inputs = Object.keys(metafile.inputs).join('\n');
  expect(inputs).toContain('speak-chunk.ts');
  expect(inputs).not.toMatch(/resampler|libopus|wasm-media-encoders|mediabunny|piscina/);
});

test('speaks in the bundle as it does here, with an engine that is handed in', async () => {
  const { outputFiles } = await bundle();
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
  const bundled: typeof import('./browser.ts') = await import(/* @vite-ignore */ url);
  const here = await import('./browser.ts');
  const [there, wanted] = await Promise.all([spoken(bundled), spoken(here)]);
  expect(there.utterances).toEqual(wanted.utterances);
  expect(there.utterances).toHaveLength(2);
  expect(there.bytes).toBeGreaterThan(0);
  expect(there.bytes).toBe(wanted.bytes);
});

/** Speaks two sentences with a tenth of a second of silence for each utterance. */
async function spoken(speech: typeof import('./browser.ts')) {
  const utterances: unknown[] = [];
  const parts = {
    waitAtMost: 1000,
    pool: {
      async *speak(utterance: unknown) {
        utterances.push(utterance);
        yield { type: 'audio' as const, samples: new Int16Array(speech.engineSampleRate / 10) };
      },
    },
    async createOutput() {
      const encoder = speech.createPcmEncoder();
      return {
        leadingSeconds: 0,
        write: async (samples: Int16Array) => encoder.encode(Float32Array.from(samples)),
        end: async () => encoder.finish(),
        free: () => {},
      };
    },
  };
  const job = speech.defaultJob('One sentence. 你好。', speech.profileForVoice('anybody'));
  let bytes = 0;
  for await (const piece of speech.synthesize(job, parts, { signal: new AbortController().signal })) {
    bytes += piece.audio.length;
  }
  return { utterances, bytes };
}
