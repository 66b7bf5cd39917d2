import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSpeechClient } from '@speech-api/client';
import { afterAll, describe, expect, test } from 'vitest';
import { guideExamples, placeExamples, removeExamples } from './testing/guide-examples.ts';
import { sandboxKey, useOwnSandbox } from './testing/use-sandbox.ts';

const run = promisify(execFile);
const sandbox = useOwnSandbox();
const { directory, placed } = placeExamples('guides', guideExamples());

/** What examples read, beside each of them; said by the sandbox, so that it knows the words again. */
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
      if (output === undefined) expect(stdout).toBe('');
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

test('the sentence on the start page sounds as it is drawn there', async () => {
  const client = createSpeechClient({ baseUrl: sandbox.url, apiKey: sandboxKey });
  const stream = await client.speech.streamWithTimestamps({
    text: 'Every word knows its time.',
    reference_id: 'sandbox-alba',
    format: 'pcm',
    sample_rate: 16000,
  });
  const { audio, timeline } = await stream.collect();
  const samples = new DataView(audio.buffer, audio.byteOffset, audio.byteLength);
  const bars = 96;
  const length = Math.floor(audio.byteLength / 2 / bars);
  const loudness = Array.from({ length: bars }, (_, bar) => {
    let sum = 0;
    for (let at = bar * length; at < (bar + 1) * length; at += 1) sum += samples.getInt16(at * 2, true) ** 2;
    return Math.sqrt(sum / length);
  });
  const loudest = Math.max(...loudness);
  const drawing = {
    seconds: Number((audio.byteLength / 2 / 16000).toFixed(2)),
    words: timeline.segments.map(({ text, start, end }) => ({
      text,
      start: Number(start.toFixed(2)),
      end: Number(end.toFixed(2)),
    })),
    bars: loudness.map((value) => Math.round((value / loudest) * 20) / 20),
  };
  // By value: the formatter of the repository lays the file out in its own way.
  const file = fileURLToPath(
    new URL('../../../apps/docs/src/components/hero-sentence.json', import.meta.url),
  );
  if (process.env.UPDATE_DRAWING !== undefined) writeFileSync(file, JSON.stringify(drawing));
  expect(drawing, 'set UPDATE_DRAWING to draw it anew').toEqual(JSON.parse(readFileSync(file, 'utf8')));
});
