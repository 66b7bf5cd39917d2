// The build of a published package, in its folder. It empties `dist`, so that nothing of a file that is gone is packed, and
// compiles. Then it joins the declarations, one file for each entry of `exports`, and with `--modules` the JavaScript, too.
// Parts that entries share or load on demand are files of their own. Node opens a module in a third of a millisecond, and
// a package of sixty small rooms has sixty of them; a reader of the types finds all of an entry in one place. Nothing is
// minified, and dependencies stay imports; a devDependency that is imported becomes part of the package: of the modules
// themselves with `--modules`, otherwise of the folder `dist/bundled`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type Metafile, type OnResolveArgs, type OutputFile } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { writeNotices } from './write-notices.ts';

interface Manifest {
  readonly dependencies?: object;
  readonly peerDependencies?: object;
  readonly devDependencies?: object;
  readonly exports: Readonly<
    Record<string, string | { readonly types: string; readonly default: string; readonly node?: string }>
  >;
}

const { exports, dependencies, peerDependencies, devDependencies } = JSON.parse(
  await readFile('package.json', 'utf8'),
) as Manifest;
const entries = Object.values(exports).filter((entry) => typeof entry !== 'string');

const joinsModules = process.argv.includes('--modules');
/** Packages, or entries of them, that become part of this one: data and functions of which a caller may hold two copies. */
const joined = process.argv.flatMap((word, index, words) => (words[index - 1] === '--join' ? [word] : []));

await rm('dist', { recursive: true, force: true });
for (const settings of ['tsconfig.build.json', 'tsconfig.node.json']) {
  if (existsSync(settings)) compile(settings);
}
if (entries.length > 0) await joinDeclarations();
if (joinsModules) await joinModules();
else await bundlePackages();

/** Exits if the compiler refuses the package, after the compiler's own message. */
function compile(settings: string): void {
  const only = joinsModules ? ['--emitDeclarationOnly'] : [];
  const words = [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', settings, ...only];
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

async function joinDeclarations(): Promise<void> {
  const input = Object.fromEntries(entries.map(({ types }) => [nameOf(types, '.d.ts'), types]));
  const bundle = await rollup({
    input,
    external: (name) => !/^\.{0,2}\//.test(name) && privateTypes(name) === null,
    plugins: [{ name: 'private', resolveId: privateTypes }, dts()],
    onwarn: (warning) => {
      // An entry may have no types to declare: the worklet is only loaded.
      if (warning.code !== 'EMPTY_BUNDLE') throw new Error(warning.message);
    },
  });
  const { output } = await bundle.generate({
    entryFileNames: '[name].d.ts',
    chunkFileNames: ({ name }) => `${name.replace(/\.d$/, '')}-[hash].d.ts`,
  });
  await bundle.close();
  for await (const path of glob('**/*.d.ts', { cwd: 'dist' })) await rm(join('dist', path));
  for (const file of output) {
    if (file.type !== 'chunk') continue;
    // The compiler indents with four spaces, which is a tenth of these files.
    const text = file.code.replaceAll(/(?<=^(?: {4})*) {4}/gm, '\t');
    // `await using` is newer than the libraries that most applications ask their compiler for.
    const library = text.includes('AsyncDisposable') ? '/// <reference lib="esnext.disposable" />\n' : '';
    await writeFile(join('dist', file.fileName), library + text);
  }
}

/** The server is not published, so its types become part of the packages that it is part of. */
function privateTypes(name: string): string | null {
  const isPart = name === '@speech-api/server' && name in { ...devDependencies };
  return isPart ? resolve('node_modules', name, 'dist', 'index.d.ts') : null;
}

async function joinModules(): Promise<void> {
  const modules = new Set(entries.flatMap((entry) => [entry.default, entry.node ?? entry.default]));
  const { outputFiles, metafile } = await build({
    entryPoints: [...modules].map((path) => join('src', `${nameOf(path, '.js')}.ts`)),
    bundle: true,
    splitting: true,
    external: ['node:*'],
    plugins: [{ name: 'external', setup: (step) => step.onResolve({ filter: /^[^.]/ }, leaveOut) }],
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    outbase: 'src',
    outdir: 'dist',
    chunkNames: '[name]-[hash]',
    write: false,
    metafile: true,
    logLevel: 'warning',
  });
  writeNotices(metafile);
  if (joined.length > 0) return joinChunks(outputFiles, metafile);
  for (const { path, text } of outputFiles) await writeModule(path, text);
}

/** Leaves out imports for side effects, which have none, but bundlers of applications would warn about them. */
async function writeModule(path: string, code: string): Promise<void> {
  await writeFile(path, code.replaceAll(/^import (["'])[^"']+\1;\n/gm, ''));
}

/** Leaves dependencies out, which are installed with the package; what `--join` names becomes part of it all the same. */
function leaveOut({ path, kind }: OnResolveArgs): { path: string; external: true } | undefined {
  const isOf = (name: string): boolean => path === name || path.startsWith(`${name}/`);
  const isInstalled = Object.keys({ ...dependencies, ...peerDependencies }).some(isOf) && !joined.some(isOf);
  return kind !== 'entry-point' && isInstalled ? { path, external: true } : undefined;
}

/** Joins the files that the first entry loads to one, for which `--join` asks: the other entries load it too. */
async function joinChunks(files: readonly OutputFile[], { outputs }: Metafile): Promise<void> {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const modules = entries.map((entry) => resolve(entry.default));
  const loaded = new Set(modules.slice(0, 1));
  for (const path of loaded) {
    for (const { path: imported, kind, external } of outputs[relative('.', path)]?.imports ?? [])
      if (kind === 'import-statement' && !external) loaded.add(resolve(imported));
  }
  const bundle = await rollup({
    input: modules,
    external: (name) => !/^[./]/.test(name),
    plugins: [
      {
        name: 'memory',
        resolveId: (name, importer) => (importer ? resolve(dirname(importer), name) : name),
        load: (path) => texts.get(path) ?? null,
      },
    ],
  });
  const { output } = await bundle.generate({
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minifyInternalExports: false,
    manualChunks: (path) => (loaded.has(path) ? 'main' : undefined),
  });
  await bundle.close();
  for (const file of output)
    if (file.type === 'chunk') await writeModule(join('dist', file.fileName), file.code);
}

/** Packages that are imported and not installed with this one become files of `dist/bundled`, and are imported from there. */
async function bundlePackages(): Promise<void> {
  const installed = Object.keys({ ...dependencies, ...peerDependencies });
  const isOneOf = (packages: readonly string[], name: string): boolean =>
    packages.some((candidate) => name === candidate || name.startsWith(`${candidate}/`));
  const imported = /(?<=\bfrom |\bimport\(|^import )(['"])([^'"]+)\1/gm;
  const texts = new Map<string, string>();
  for await (const path of glob('**/*.js', { cwd: 'dist' })) {
    texts.set(path, await readFile(join('dist', path), 'utf8'));
  }
  const names = [...texts.values()].flatMap((text) =>
    [...text.matchAll(imported)].map(([, , name = '']) => name),
  );
  const bundled = new Set(
    names.filter((name) => isOneOf(Object.keys({ ...devDependencies }), name) && !isOneOf(installed, name)),
  );
  if (bundled.size === 0) return;
  const fileOf = (name: string): string => name.replace(/^@/, '').replaceAll('/', '-');
  const { metafile } = await build({
    entryPoints: Object.fromEntries([...bundled].map((name) => [fileOf(name), name])),
    bundle: true,
    splitting: true,
    external: [...installed.flatMap((name) => [name, `${name}/*`]), 'bufferutil', 'utf-8-validate'],
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Some packages hide what they `require` from a bundler; their ES modules do not.
    mainFields: ['module', 'main'],
    // Packages written for `require` ask for Node's own modules through it.
    banner: {
      js: "import { createRequire as createRequireForBundle } from 'node:module';\nconst require = createRequireForBundle(import.meta.url);",
    },
    outdir: 'dist/bundled',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  writeNotices(metafile);
  for (const [path, text] of texts) {
    const folder = relative(dirname(path), 'bundled') || '.';
    const changed = text.replaceAll(imported, (whole, _quote, name) =>
      bundled.has(name) ? `'${folder.startsWith('.') ? folder : `./${folder}`}/${fileOf(name)}.js'` : whole,
    );
    if (changed !== text) await writeFile(join('dist', path), changed);
  }
}

function nameOf(path: string, ending: string): string {
  return path.slice('./dist/'.length, -ending.length);
}
