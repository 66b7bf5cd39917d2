// Joins the modules of a published package, after tsc has written them: one file for each entry of its `exports`, and
// one for each part that is loaded on demand. Node opens a module in a third of a millisecond, and a package of sixty small rooms
// has sixty of them. Types stay as they are; nothing is minified, and dependencies stay imports.
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

const { exports } = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;
const entryPoints = Object.values(exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [entry.default],
);
const joined = await mkdtemp('dist-');
try {
  await build({
    entryPoints,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    outbase: 'dist',
    outdir: joined,
    chunkNames: '[name]-[hash]',
    logLevel: 'warning',
  });
  for await (const path of glob('**/*.js', { cwd: 'dist' })) await rm(join('dist', path));
  for await (const path of glob('**/*.js', { cwd: joined })) {
    // An import for its effects alone, of which there are none: the bundler of an application would warn of it.
    const text = await readFile(join(joined, path), 'utf8');
    await writeFile(join('dist', path), text.replaceAll(/^import "\.{1,2}\/[^"]+";\n/gm, ''));
  }
} finally {
  await rm(joined, { recursive: true, force: true });
}
