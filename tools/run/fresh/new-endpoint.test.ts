import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { guide, useCopy } from './copy.ts';

// The second worked example of CONTRIBUTING.md, done in a copy: its numbered edits, one by one, each after the failure
// that asks for it.

const endpoint = 'getPastCredit';
const edits = [
  ...guide.matchAll(/^\d\. `([^`]+)`, (new|at its end|below `([^`]+)`)[^\n]*:\n\n```\w+\n([\s\S]*?)```/gm),
];
const { build, generate, inCopy, passes, read, run, succeed, vitest } = useCopy('new-endpoint');

/** Performs the next edits of the guide. */
function perform(count = 1): void {
  for (const [, path = '', place, anchor = '', text = ''] of edits.splice(0, count)) {
    if (place === 'new') mkdirSync(dirname(inCopy(path)), { recursive: true });
    if (anchor === '') appendFileSync(inCopy(path), text);
    else {
      const lines = read(path).split('\n');
      const found = lines.findIndex((line) => line.includes(anchor));
      expect(found, `${path} has no line with ${anchor}`).toBeGreaterThan(0);
      writeFileSync(inCopy(path), lines.toSpliced(found + 1, 0, text.trimEnd()).join('\n'));
    }
  }
}

const samples = () => vitest('tools/recipes', 'test/samples.test.ts');
const compile = async (folder: string) => (await run(folder, 'tsc', '-p', 'tsconfig.json')).output;

test('takes eight edits by hand', () => {
  expect(edits).toHaveLength(8);
});

test('the specification is valid, and one command brings the endpoint into types and documents', async () => {
  perform(2);
  await generate();
  await succeed('spec', 'redocly', 'lint');
  await passes('spec', 'test/interface.test.ts', 'test/layout.test.ts', 'test/refusals.test.ts');
  await passes('tools/codegen', 'src/generate.test.ts');
});

test('a test names the sample that is missing, and the compiler what the client lacks for it', async () => {
  await build('client', 'live');
  expect((await samples()).output).toContain(`${endpoint}/typescript.ts`);
  perform();
  expect((await samples()).output).toContain(
    `Property '${endpoint}' does not exist on type 'WalletResource'`,
  );
  for (const message of [`Property '${endpoint}' is missing`, `'"${endpoint}"' is not assignable`]) {
    perform();
    expect(await compile('packages/client')).toContain(message);
  }
  perform();
  expect(await compile('packages/client')).toBe('');
});

test('the compiler names the handler that the sandbox lacks', async () => {
  await build('server');
  expect(await compile('apps/sandbox')).toContain(`Property '${endpoint}' is missing`);
  perform();
  expect(await compile('apps/sandbox')).toBe('');
});

test('a test names the call that the command line lacks', async () => {
  await build('client', 'recordings', 'live');
  expect((await samples()).output).toContain(`${endpoint}: call client.wallet.${endpoint}(...) in a command`);
  perform();
  expect(await compile('apps/cli')).toBe('');
  await passes('tools/recipes', 'test/samples.test.ts');
});

test('one command writes the method into the API report of the client', async () => {
  await succeed('.', 'npm', 'run', 'api');
  expect(read('packages/client/api.txt')).toContain(`    ${endpoint}(`);
});

test('both servers answer the client, and the default run of the judge has room for the endpoint', async () => {
  await build('mock', 'sandbox', 'engine-espeak', 'client');
  writeFileSync(inCopy('tools/e2e/new-endpoint.mjs'), asked);
  expect(JSON.parse(await succeed('tools/e2e', 'node', 'new-endpoint.mjs'))).toEqual(['string', 'string']);
  await passes('packages/mock', 'src/operations/documented.test.ts');
  await passes('packages/contract', 'src/verify/plan.test.ts');
});

const asked = `import { createSpeechClient } from '@speech-api/client';
import { startMock } from '@speech-api/mock';
import { startSandbox } from '@speech-api/sandbox';
const types = [];
for (const start of [startMock, startSandbox]) {
  const server = await start({ port: 0, logger: () => {} });
  const client = createSpeechClient({ apiKey: 'sandbox-key', baseUrl: server.url });
  types.push(typeof (await client.wallet.${endpoint}('2026-11-22')).credit);
  await server.close();
}
console.log(JSON.stringify(types));
`;
