import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { applyEdit, breakingEdits, type Edit } from '../test/edits.ts';
import { run } from './run.ts';
import { readBuilt, specificationFolder } from './snapshot.ts';

const built = readBuilt();

/** A small specification in a folder, released once as 1.2.0. */
async function useReleased() {
  const folder = `${mkdtempSync(join(tmpdir(), 'speech-diff-test-'))}/`;
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(`${specificationFolder}dist`, `${folder}dist`, { recursive: true });
  const setVersion = (version: string) => writeFileSync(`${folder}package.json`, JSON.stringify({ version }));
  setVersion('1.2.0');
  writeFileSync(`${folder}CHANGELOG.md`, '# Changes\n\n## 1.2.0\n\n- Everyone: this is the first version.\n');

  const gate = async (...words: string[]) => {
    const written: string[] = [];
    const write = (text: string) => void written.push(text);
    const code = await run(words, { folder, write, writeError: write });
    return { code, text: written.join('') };
  };
  const edit = (change: Edit) => {
    const edited = applyEdit(built, change);
    writeFileSync(`${folder}dist/${change.part}.json`, JSON.stringify(edited[change.part]));
  };
  return { folder, setVersion, gate, edit, changelog: () => readFileSync(`${folder}CHANGELOG.md`, 'utf8') };
}

const anotherDefault = breakingEdits.find(({ rule }) => rule === 'changed-default') as Edit;

test('lets everything pass before the first release, writes it, and finds nothing changed since', async () => {
  const { gate, folder } = await useReleased();
  expect(await gate()).toEqual({
    code: 0,
    text: 'There is no release to compare with yet, so the changelog needs no line.\n',
  });
  expect((await gate('release')).code).toBe(0);
  const document = JSON.parse(readFileSync(`${folder}releases/1.2.0.json`, 'utf8'));
  expect(document).toMatchObject({ openapi: '3.2.0', 'x-release': { version: '1.2.0' } });
  expect(await gate()).toMatchObject({ code: 0, text: expect.stringContaining('nothing changed') });
});

test('leads from a breaking change to a release by the commands that it prints', async () => {
  const { gate, edit, setVersion, changelog } = await useReleased();
  await gate('release');
  edit(anotherDefault);

  const refused = await gate();
  expect(refused.code).toBe(1);
  expect(refused.text).toContain('`chunk_length` has the default 200 instead of 300.');
  expect(refused.text).toContain('Set the version in spec/package.json to 2.0.0');

  setVersion('2.0.0');
  const silent = await gate();
  expect(silent.code).toBe(1);
  expect(silent.text).toContain('Fix: npm run diff -- draft --write');

  expect((await gate('draft', '--write')).code).toBe(0);
  expect(changelog()).toContain(
    '## 2.0.0\n\n- Clients that send requests: send 300 yourself where you relied on it.',
  );
  expect((await gate('draft')).text).toBe('The changelog names every change.\n');
  expect(await gate()).toMatchObject({ code: 0, text: expect.stringContaining('May ship as 2.0.0.') });
  expect((await gate('release')).code).toBe(0);
  expect(await gate()).toMatchObject({ code: 0, text: expect.stringContaining('nothing changed') });
});

test('never rewrites what was released', async () => {
  const { gate, edit, folder } = await useReleased();
  await gate('release');
  const before = readFileSync(`${folder}releases/1.2.0.json`, 'utf8');
  edit(anotherDefault);
  expect((await gate('release')).code).toBe(1);
  expect(readFileSync(`${folder}releases/1.2.0.json`, 'utf8')).toBe(before);
});

test('compares with an older release where it is asked to, and answers in JSON', async () => {
  const { gate, setVersion, edit, folder } = await useReleased();
  await gate('release');
  edit(anotherDefault);
  setVersion('1.3.0');
  const { code, text } = await gate('check', '--json', '--base', `${folder}releases/1.2.0.json`);
  expect(code).toBe(1);
  expect(JSON.parse(text)).toMatchObject({
    ships: false,
    base: '1.2.0',
    version: '1.3.0',
    impact: 'major',
    leastVersion: '2.0.0',
    findings: [{ rule: 'changed-default', impact: 'major', subject: 'chunk_length' }],
  });
});

test('says that it could not judge, which is not the same as a refusal', async () => {
  const { gate, folder } = await useReleased();
  await gate('release');
  expect((await gate('--base', `${folder}package.json`)).code).toBe(2);
  expect((await gate('chek')).text).toContain('There is no command "chek".');
  // A broken reference hides changes from redocly diff.
  writeFileSync(
    `${folder}dist/openapi.json`,
    JSON.stringify(built.openapi).replace('#/components/schemas/LatencyMode"', '#/components/schemas/Lost"'),
  );
  expect(await gate()).toMatchObject({ code: 2, text: expect.stringContaining("Can't resolve $ref") });
});
