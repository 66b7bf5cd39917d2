// Writes dist/browser/: this engine as a worker for web pages, cut to the languages that the pages speak.
// The engine itself is not changed: the table of files in its JavaScript and the data behind it are written anew,
// with the files that are listed here (change of 2026-11-22). Nothing is compiled.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const folder = '/usr/share/espeak-ng-data/';
const variants = 'f1 linda belinda steph Annie m1 m3 m4 m5 m6 m7 Mike adam'.split(' ');
const english = [
  'phontab',
  'phonindex',
  'phondata',
  'intonations',
  'en_dict',
  'lang/gmw/en',
  'lang/gmw/en-US',
  'lang/gmw/en-US-nyc',
  'lang/gmw/en-GB-x-rp',
  'lang/gmw/en-GB-scotland',
  'lang/sit/cmn',
  ...variants.map((name) => `voices/!v/${name}`),
];

/** Loaded when the first Han character is spoken: it is as large as everything else together. */
const chinese = 'cmn_dict';

interface PackagedFile {
  readonly filename: string;
  readonly start: number;
  readonly end: number;
}

const target = 'dist/browser';
const require = createRequire(import.meta.url);
const source = require.resolve('@echogarden/espeak-ng-emscripten');
const code = await readFile(source, 'utf8');
const data = await readFile(new URL('espeak-ng.data', `file://${source}`));

const table = /loadPackage\(\{files:\[(.*?)\],remote_package_size:\d+\}\)/s.exec(code);
if (table === null) throw new Error(`${source} has no table of files: another version of the engine?`);
const packaged = [...(table[1] ?? '').matchAll(/\{filename:"([^"]+)",start:(\d+),end:(\d+)\}/g)].map(
  ([, filename = '', start, end]): PackagedFile => ({ filename, start: Number(start), end: Number(end) }),
);

function bytesOf(name: string): Buffer {
  const file = packaged.find(({ filename }) => filename === folder + name);
  if (file === undefined) throw new Error(`the engine has no file ${name}`);
  return data.subarray(file.start, file.end);
}

const kept = english.map(bytesOf);
let at = 0;
const files = english.map((name, index) => {
  const start = at;
  at += kept[index]?.length ?? 0;
  return `{filename:${JSON.stringify(folder + name)},start:${start},end:${at}}`;
});
await mkdir(target, { recursive: true });
await writeFile(
  `${target}/espeak-ng.js`,
  code.replace(table[0], () => `loadPackage({files:[${files.join(',')}],remote_package_size:${at}})`),
);
await writeFile(`${target}/english.data.gz`, gzipSync(Buffer.concat(kept), { level: 9 }));
await writeFile(`${target}/chinese.data.gz`, gzipSync(bytesOf(chinese), { level: 9 }));
await build({
  entryPoints: ['src/browser/worker.ts'],
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  external: ['./espeak-ng.js'],
  outfile: `${target}/worker.js`,
  banner: { js: '/* eSpeak NG as a worker. GPL-3.0; licence and source: see the folder of this file. */' },
});

// Serving these files is conveying the engine: its licence, its notices and the way to its source go with it.
await cp('LICENSE', `${target}/LICENSE.txt`);
const { version } = JSON.parse(await readFile(new URL('package.json', `file://${source}`), 'utf8')) as {
  version: string;
};
await writeFile(
  `${target}/NOTICE.txt`,
  `The files in this folder are eSpeak NG as compiled to JavaScript by the Echogarden project, under the GNU General
Public License, version 3 (LICENSE.txt). They are a program of their own, a worker that web pages exchange
messages with.

Changed on 2026-11-22: espeak-ng.js lists fewer files, and english.data.gz and chinese.data.gz hold those files of
espeak-ng.data. worker.js was added. Nothing else was changed and nothing was compiled.

Source:
- the engine and its JavaScript: https://github.com/espeak-ng/espeak-ng and
  https://github.com/echogarden-project/espeak-ng-emscripten, published as
  @echogarden/espeak-ng-emscripten ${version} on npm
- worker.js and the script that writes these files (build-for-browsers.ts): the folder apps/sandbox/engines/espeak of
  the repository that this site is built from
`,
);
