import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSpeechClient } from '@speech-api/client';
import { type RunningSandbox, startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folder, key, runRecipe, useFolder } from './run-recipe.ts';

let sandbox: RunningSandbox;
let sample: Uint8Array;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, logger: () => {} });
  const client = createSpeechClient({ baseUrl: sandbox.url, apiKey: key });
  const speech = await client.speech.create({ text: 'What is said in the sample.', format: 'wav' });
  sample = await speech.bytes();
});

afterAll(() => sandbox?.close());

/** The output of each program. The servers, the tests and the proxies have tests of their own. */
const programs: Readonly<Record<string, RegExp>> = {
  'before-sending':
    /^31 characters, 36 bytes, about 2\.2 s\n[1-9]\.\d s of audio; credit 1?\d+\.\d+ before, \d+\.\d+ after\n$/,
  production: /^credit \d+(?:\.\d+)?\n\d{3,} bytes\n$/,
  'from-openai': /^Fresh bread and two cups of tea\. [1-9]\d*\n$/,
  'from-elevenlabs': /^Two \d[\d.]* \d[\d.]*\ncups\.? \d[\d.]* \d[\d.]*\n$/,
  'from-other-clients': /^\d{4,}\nWhat is said in the sample\.\n(?:[1-9]\n)+1\n$/,
  'telephony-mulaw': /^$/,
};

test.each(Object.entries(programs))('%s runs against the sandbox', async (name, output) => {
  const cwd = useFolder();
  writeFileSync(join(cwd, 'sample.wav'), sample);
  expect(await runRecipe(name, sandbox.url, cwd)).toMatch(output);
});

test('telephony-mulaw writes whole frames that decode to the pcm of the service', async () => {
  const cwd = useFolder();
  await runRecipe('telephony-mulaw', sandbox.url, cwd);
  const encoded = readFileSync(join(cwd, 'call.ulaw'));
  const client = createSpeechClient({ baseUrl: sandbox.url, apiKey: key });
  const text = 'Your table is booked for seven.';
  const audio = await client.speech.create({ text, format: 'pcm', sample_rate: 8000 });
  const pcm = Buffer.from(await audio.bytes());
  expect(encoded.length).toBe(Math.ceil(pcm.length / 320) * 160);
  let signal = 0;
  let noise = 0;
  for (let at = 0; at < pcm.length / 2; at += 1) {
    const sample = pcm.readInt16LE(at * 2);
    signal += sample ** 2;
    noise += (sample - fromMuLaw(encoded[at] ?? 0)) ** 2;
  }
  // G.711 reaches about 38 dB with speech.
  expect(10 * Math.log10(signal / noise)).toBeGreaterThan(33);
});

/** The decoder of G.711 as its recommendation describes it. */
function fromMuLaw(code: number): number {
  const bits = ~code & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + 132) << ((bits >> 4) & 7)) - 132;
  return (bits & 0x80) === 0 ? magnitude : -magnitude;
}

test.each([
  ['testing-node-test', 2],
  ['testing-fake-fetch', 2],
])('the tests of %s pass', async (name, passed) => {
  const output = await runRecipe(name, sandbox.url, useFolder(), ['--test', '--test-reporter=tap']);
  expect(output).toContain(`# pass ${passed}\n`);
  expect(output).toContain('# fail 0\n');
});

test('the tests of testing-vitest pass', async () => {
  const program = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
  const place = useFolder();
  const configuration = join(place, 'vitest.config.mjs');
  // A busy machine may take its time.
  const test = { include: ['testing-vitest.ts'], testTimeout: 60_000, hookTimeout: 60_000 };
  const settings = { cacheDir: join(place, 'cache'), test };
  writeFileSync(configuration, `export default ${JSON.stringify(settings)};`);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, 'run', '--root', folder, '--config', configuration, '--no-color'],
    { env: { ...process.env, VITEST: undefined } },
  );
  expect(stdout).toContain('2 passed');
});
