import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSpeechClient } from '@speech-api/client';
import { afterAll, describe, expect, test } from 'vitest';
import { guideExamples, placeExamples, removeExamples } from './testing/guide-examples.ts';
import { sandboxKey, useOwnSandbox } from './testing/use-sandbox.ts';

const run = promisify(execFile);
const sandbox = useOwnSandbox();
const { directory, placed } = placeExamples('guides', guideExamples());

/** Recordings for the examples, placed next to them; spoken by the sandbox, so that it knows the words. */
const recordings = {
  'ann.wav': { text: 'What Ann says in her sample.', format: 'wav', reference_id: 'sandbox-alba' },
  'ben.wav': { text: 'What Ben says in his sample.', format: 'wav', reference_id: 'sandbox-blake' },
  'recording.mp3': { text: 'The last boat leaves at ten.', format: 'mp3', reference_id: 'sandbox-cleo' },
} as const;

async function record(cwd: string): Promise<void> {
  const client = createSpeechClient({ baseUrl: sandbox.url, apiKey: sandboxKey });
  const reset = await fetch(`${sandbox.url}/__sandbox/reset`, { method: 'POST' });
  expect(reset.status).toBe(204);
  for (const [name, request] of Object.entries(recordings)) {
    const speech = await client.speech.create(request);
    writeFileSync(cwd + name, await speech.bytes());
  }
}

const noOutput =
  'The example prints something that its page does not show. Write it to NAME.output.txt beside the example.';

afterAll(() => removeExamples('guides'));

test('every example of the guides compiles', async () => {
  expect(placed.length).toBeGreaterThan(25);
  const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
  const failure = await run(process.execPath, [compiler, '-p', directory]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  expect(failure).toBe('');
}, 180_000);

describe('an example of the guides', () => {
  test.each(placed.filter(({ kind }) => kind === 'node'))(
    '$name runs, and prints what its page says',
    async ({ cwd, file, output }) => {
      await record(cwd);
      const env = { ...process.env, SPEECH_BASE_URL: sandbox.url, SPEECH_API_KEY: sandboxKey };
      const { stdout, stderr } = await run(process.execPath, [file], { cwd, env, timeout: 50_000 });
      expect(stderr).toBe('');
      if (output === undefined) expect(stdout, noOutput).toBe('');
      else await expect(stdout).toMatchFileSnapshot(output);
    },
  );

  test.each(placed.filter(({ kind }) => kind === 'worker'))('$name answers as a worker', async ({ file }) => {
    const module: { default: { fetch(request: Request, environment: object): Promise<Response> } } =
      await import(file);
    const environment = { SPEECH_BASE_URL: sandbox.url, SPEECH_API_KEY: sandboxKey };
    const request = new Request('http://worker.invalid/?text=Hello.');
    const response = await module.default.fetch(request, environment);
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    const wrong = { ...environment, SPEECH_API_KEY: 'not-a-key' };
    const refused = await module.default.fetch(new Request(request), wrong);
    expect([refused.status, await refused.json()]).toEqual([502, expect.objectContaining({ status: 401 })]);
  });
});
