// The command is one bundle, with files beside it that load on demand. LGPL decoders stay dependencies, so users can replace
// them.
import { readFile, rm } from 'node:fs/promises';
import { writeNotices } from '@speech-api/config/write-notices';
import { build } from 'esbuild';

const { dependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
  dependencies: Record<string, string>;
};
await rm('dist', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: ['src/speech.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Packages written for `require` ask for Node's own modules through it.
  banner: {
    js: "import { createRequire as createRequireForBundle } from 'node:module';\nconst require = createRequireForBundle(import.meta.url);",
  },
  chunkNames: '[name]-[hash]',
  external: Object.keys(dependencies),
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
});
writeNotices(metafile);
