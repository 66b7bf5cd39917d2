import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from './testing/code-blocks.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'packages/*/README.md',
  'apps/*/README.md',
  'tools/*/README.md',
];
const texts = globSync([...pages, 'apps/docs/src/content/docs/{guides,project,playground}/*.mdx'], {
  cwd: root,
})
  .filter((file) => !file.includes('node_modules'))
  .sort()
  .map((file) => ({ file, text: readFileSync(root + file, 'utf8') }));

/** Each program of ours by what starts it on a page, with the file that prints its help. */
const programs: readonly (readonly [start: RegExp, file: string])[] = [
  [/^speech (?!API)|^npm run speech -- /, 'apps/cli/dist/speech.js'],
  [/^(?:npx )?speech-sandbox|^npm run sandbox/, 'apps/sandbox/dist/bin.js'],
  [/^(?:npx )?speech-mock|^npm run mock/, 'packages/mock/dist/bin.js'],
  [/^(?:npx )?speech-relay|^npm run relay/, 'packages/relay/dist/bin.js'],
  [/^(?:npx )?speech-contract|^npm run contract/, 'packages/contract/dist/bin.js'],
  [/^(?:npx )?speech-mcp/, 'packages/mcp/dist/bin.js'],
  [/^npm run release/, 'tools/run/main.mjs release'],
  [/^npm run registry/, 'tools/run/main.mjs registry'],
  [/^npm run test:full/, 'tools/run/main.mjs test:full'],
  [/^npm start/, 'tools/run/main.mjs start'],
];

/** The help of a program and of all its commands. */
async function helpOf(words: readonly string[]): Promise<string> {
  const [program = '', ...args] = words;
  const { stdout } = await promisify(execFile)(process.execPath, [root + program, ...args, '--help']);
  const [, list = ''] = stdout.split(/^Commands:\n/m);
  const [section = ''] = list.split('\n\n');
  const commands = [...section.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name);
  const others = commands.filter((name) => name !== 'help');
  return [stdout, ...(await Promise.all(others.map((name) => helpOf([...words, name]))))].join('\n');
}
const helps = await Promise.all(
  programs.map(async ([start, file]) => ({ start, help: await helpOf(file.split(' ')) })),
);
const flagsIn = (text: string): string[] => text.match(/(?<![\w-])--[a-z][\w-]*/g) ?? [];
const hasFlag = (help: string, flag: string): boolean => new RegExp(`${flag}(?![\\w-])`).test(help);

/** Options of other people's programs, and of a build step, that pages name alone. */
const foreign = ['--filter', '--errors', '--default-non-nullable', '--exclude-path', '--modules'];

/**
 * Flags that no program has. Of a command the help of its program decides, of a flag that stands alone all helps; commands of
 * other people's programs are theirs.
 */
function unknownFlags(text: string): string[] {
  const shown = text.replaceAll(/\\\n|(?<=npm run )--silent |(?<=npx )--no /g, '');
  const lines = shown.split('\n');
  const spans = [...shown.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [...lines, ...spans].flatMap((command) => {
    const isAlone = command.startsWith('--') && spans.includes(command);
    const candidates = helps.filter(
      ({ start }) => isAlone || start.test(command.replace(/^\s*(?:- )?(?:run: )?(?:\w+=\S+ )*/, '')),
    );
    const known = candidates.map(({ help }) => help).join('\n');
    return candidates.length === 0
      ? []
      : flagsIn(command).filter((flag) => !hasFlag(known, flag) && !foreign.includes(flag));
  });
}

test.each(texts)('every flag on $file exists in the help of its program', ({ text }) => {
  expect(unknownFlags(text)).toEqual([]);
});

test('every root script on a page of this repository exists', () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: object };
  const named = texts
    .filter(({ file }) => !file.startsWith('apps/docs/src/') && !file.startsWith('packages/'))
    .flatMap(({ text }) => [...text.matchAll(/\bnpm run (?:--silent )?([\w:]+)/g)]);
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter(([, name = '']) => !Object.hasOwn(scripts, name));
  expect(missing.map(([command]) => command)).toEqual([]);
});

test('each number that a page states as a default is that of the help or of the source', () => {
  const sources = globSync('packages/*/src/**/*.ts', { cwd: root }).map((file) =>
    readFileSync(root + file, 'utf8'),
  );
  const stated = texts.flatMap(({ text }) => [
    ...text.matchAll(/`(--[a-z-]+|[a-z]+[A-Z]\w*)`\s\((\d[\d.]*)\)/g),
  ]);
  expect(stated.length).toBeGreaterThan(4);
  const wrong = stated.filter(([, name = '', value = '']) =>
    name.startsWith('--')
      ? !helps.some(({ help }) => new RegExp(`${name}\\b[^\n]*(?:\n {6,}[^\n]*)*\\b${value}\\b`).test(help))
      : !sources.some((source) => new RegExp(`\\b${name} = ${value}\\b`).test(source.replaceAll('_', ''))),
  );
  expect(wrong.map(([sentence]) => sentence)).toEqual([]);
});
