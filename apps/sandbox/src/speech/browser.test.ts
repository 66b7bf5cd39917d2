import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('bundles for a browser without Node, encoders and the resampler', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL('browser.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    write: false,
    metafile: true,
    minify: true,
    platform: 'browser',
    logLevel: 'silent',
  });
  const external = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter((entry) => entry.external === true).map(({ path }) => path),
  );
  expect(external).toEqual([]);
  expect(outputFiles[0]?.text).not.toMatch(/\bnode:|\bBuffer\b|\bprocess\./);
  const inputs = Object.keys(metafile.inputs).join('\n');
  expect(inputs).toContain('synthesize.ts');
  expect(inputs).not.toMatch(/resampler|libopus|wasm-media-encoders|mediabunny/);
});
