import { appendFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guide, useCopy } from './copy.ts';

// The first worked example of CONTRIBUTING.md, done in a copy: the code blocks written there are used here.

const field = 'breathiness';
const [edit, line] = ['yaml', 'ts'].map((language) => {
  const block = new RegExp(`\`\`\`${language}\\n([^\`]*${field}[^\`]*)\`\`\``).exec(guide)?.[1];
  if (block === undefined) throw new Error(`CONTRIBUTING.md has no ${language} block with ${field}.`);
  return block;
});
const { build, generate, inCopy, passes, read, succeed, vitest } = useCopy('new-field');

test('one edit of the specification and one command bring a field everywhere', async () => {
  appendFileSync(inCopy('spec/schemas/SynthesisSettings.yaml'), edit ?? '');
  await generate();
  expect(read('packages/types/src/generated/openapi.ts')).toContain(`${field}?: number;`);
  expect(read('packages/types/src/generated/constants.ts')).toContain(
    `${field}: { minimum: 0, maximum: 1 },`,
  );
  expect(read('apps/sandbox/SUPPORT.md')).toContain(`| \`${field}\` | accepted, without effect |`);
});

test('the second copy of the interface asks for its line by name, and for nothing else', async () => {
  const refused = await vitest('spec', 'test/interface.test.ts');
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('"breathiness"');
  const file = 'spec/test/interface.test.ts';
  const anchor = /\n( *early_stop_threshold: \{[^}]*\},\n)/.exec(read(file))?.[1] ?? '';
  writeFileSync(inCopy(file), read(file).replace(anchor, anchor + line));
  await passes('spec', 'test/interface.test.ts');
});

test('the client sends the field, and a server checks it', async () => {
  await build('contract', 'mock', 'sandbox', 'engine-espeak', 'client', 'live');
  writeFileSync(inCopy('packages/client/src/new-field.ts'), typed);
  await succeed('packages/client', 'tsc', '-p', 'tsconfig.json');
  writeFileSync(inCopy('tools/e2e/new-field.mjs'), asked);
  const output = await succeed('tools/e2e', 'node', 'new-field.mjs');
  expect(JSON.parse(output)).toEqual({ good: true, bad: 422, loc: ['body', field] });
});

test('the checks of npm test that the field touches pass', async () => {
  for (const [folder, ...files] of [
    ['spec'],
    ['tools/codegen', 'src/generate.test.ts'],
    ['tools/config'],
    ['apps/sandbox', 'test/support'],
    ['packages/contract', 'rule-table', 'src/rules', 'src/verify/plan.test.ts'],
    ['packages/server', 'src/validate'],
    ['tools/e2e', 'test/rules.test.ts', 'test/contract', 'test/formats.test.ts'],
  ] as const)
    await passes(folder, ...files);
});

test('the reference of the site shows the field', async () => {
  writeFileSync(inCopy('apps/docs/new-field.ts'), shown);
  const output = await succeed('apps/docs', 'node', 'new-field.ts');
  expect(JSON.parse(output)).toEqual(['createSpeech', 'streamSpeechWithTimestamps']);
});

const typed = `import type { SpeechRequest } from './request-check.ts';
export const good: SpeechRequest = { text: 'a', ${field}: 0.2 };
// @ts-expect-error The field is a number.
export const bad: SpeechRequest = { text: 'a', ${field}: 'much' };
`;

const asked = `import { createSpeechClient } from '@speech-api/client';
import { startMock } from '@speech-api/mock';
const mock = await startMock({ port: 0 });
const headers = { authorization: 'Bearer any', model: 's2-pro', 'content-type': 'application/json' };
const client = createSpeechClient({ apiKey: 'any', baseUrl: mock.url });
const good = await client.speech.create({ text: 'Hello.', ${field}: 0.2 });
const sound = await good.bytes();
const body = JSON.stringify({ text: 'Hello.', ${field}: 1.2 });
const bad = await fetch(mock.url + '/v1/tts', { method: 'POST', headers, body });
const [issue] = await bad.json();
await mock.close();
console.log(JSON.stringify({ good: sound.length > 0, bad: bad.status, loc: issue.loc }));
`;

const shown = `import { describeOperations } from './src/reference/model/operations.ts';
import { readSpecification } from './src/reference/model/document.ts';
const pages = describeOperations(await readSpecification());
const names = pages.filter(({ body }) => JSON.stringify(body ?? '').includes('"${field}"')).map(({ id }) => id);
console.log(JSON.stringify(names));
`;
