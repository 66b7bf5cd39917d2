import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFaults, readRule, wordsOf } from '@speech-api/server';
import { expect, it } from 'vitest';
import type { RunningSandbox } from '../start-sandbox.ts';
import { createFakeSpeech } from '../testing/fake-speech.ts';
import { newFolder, speak, speechHeaders, start } from '../testing/sandboxes.ts';
import { readChaosOption } from './read-chaos-option.ts';

/** Twenty pieces of 500 bytes. */
const startWith = (chaos?: readonly string[]): Promise<RunningSandbox> =>
  start({ speech: createFakeSpeech({ pieces: 20, pieceBytes: 500 }), ...(chaos ? { chaos } : {}) });

const ask = (sandbox: RunningSandbox, faults: string, path?: string): Promise<Response> =>
  speak(sandbox, { text: 'a' }, { ...speechHeaders, 'x-sandbox-chaos': faults }, path);

/** What arrives, and whether the body ends well. */
async function read(response: Response): Promise<{ readonly bytes: number; readonly whole: boolean }> {
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) bytes += chunk.length;
    return { bytes, whole: true };
  } catch {
    return { bytes, whole: false };
  }
}

it('is off unless asked for: the header alone does nothing', async () => {
  const response = await ask(await startWith(), 'status=503');
  expect(response.status).toBe(200);
  expect(await read(response)).toEqual({ bytes: 10_000, whole: true });
});

it('answers a status, with a general error body', async () => {
  const response = await ask(await startWith([]), 'status=503');
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await response.json()).toEqual({ status: 503, message: expect.stringContaining('asked') });
});

it.each([0, 1, 2000, 2250])('cuts the body after %i bytes', async (bytes) => {
  const response = await ask(await startWith([]), `cut=${bytes}`).catch(() => undefined);
  // The head may fall with the connection when nothing follows it.
  if (response === undefined) expect(bytes).toBe(0);
  else expect(await read(response)).toEqual({ bytes, whole: false });
});

it('cuts an answer of one piece too', async () => {
  const { url } = await startWith([]);
  const headers = { ...speechHeaders, 'x-sandbox-chaos': 'cut=10' };
  const response = await fetch(`${url}/model`, { headers });
  expect(await read(response)).toEqual({ bytes: 10, whole: false });
});

it('does not cut a body that is shorter', async () => {
  expect(await read(await ask(await startWith([]), 'cut=20000'))).toEqual({ bytes: 10_000, whole: true });
});

it('holds an answer back', async () => {
  const began = performance.now();
  const response = await ask(await startWith([]), 'delay=200ms');
  expect(performance.now() - began).toBeGreaterThan(190);
  expect(await read(response)).toEqual({ bytes: 10_000, whole: true });
});

it('lets a body drip', async () => {
  const began = performance.now();
  expect(await read(await ask(await startWith([]), 'drip=40000'))).toEqual({ bytes: 10_000, whole: true });
  expect(performance.now() - began).toBeGreaterThan(200);
});

it('makes nothing ahead of a drip', async () => {
  const speech = createFakeSpeech({ pieces: 1000, pieceBytes: 1000 });
  const sandbox = await start({ speech, chaos: [] });
  const response = await ask(sandbox, 'drip=1000');
  await response.body?.getReader().read();
  expect(speech.made).toBeLessThan(5);
  await response.body?.cancel().catch(() => {});
  await sandbox.close();
  expect(speech.ended).toBe(1);
});

it('breaks one event of a stream', async () => {
  const response = await ask(await startWith([]), 'malformed-event=2', '/v1/tts/stream/with-timestamp');
  const events = (await response.text()).trim().split('\n\n');
  const valid = events.map((event) => {
    try {
      return Boolean(JSON.parse(event.slice('data: '.length)));
    } catch {
      return false;
    }
  });
  expect(valid).toEqual(Array.from({ length: 20 }, (_, index) => index !== 1));
});

it('refuses a header that is no good, and says what there is', async () => {
  const response = await ask(await startWith([]), 'stauts=503');
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ message: expect.stringContaining('status=503') });
});

it('leaves refusals as they are: a wrong key is still a wrong key', async () => {
  const headers = { ...speechHeaders, authorization: 'Bearer nobody', 'x-sandbox-chaos': 'status=503' };
  expect((await speak(await startWith(['status=503']), { text: 'a' }, headers)).status).toBe(401);
});

it('follows rules, the first that strikes, and counts', async () => {
  const sandbox = await startWith(['POST /v1/tts status=503 times=2', 'GET /model* status=500 every=2']);
  const statuses: number[] = [];
  for (let call = 0; call < 3; call += 1) statuses.push((await speak(sandbox, { text: 'a' })).status);
  expect(statuses).toEqual([503, 503, 200]);
  const listed: number[] = [];
  for (let call = 0; call < 4; call += 1) {
    listed.push((await fetch(`${sandbox.url}/model`, { headers: speechHeaders })).status);
  }
  expect(listed).toEqual([200, 500, 200, 500]);
});

it('lets a page send the header where chaos is on', async () => {
  const preflight = async (sandbox: RunningSandbox): Promise<string | null> => {
    const headers = { origin: 'http://localhost:4000', 'access-control-request-method': 'POST' };
    const response = await fetch(`${sandbox.url}/v1/tts`, { method: 'OPTIONS', headers });
    return response.headers.get('access-control-allow-headers');
  };
  expect(await preflight(await startWith([]))).toContain('x-sandbox-chaos');
  expect(await preflight(await startWith())).not.toContain('x-sandbox-chaos');
});

it('charges nothing for a status', async () => {
  const sandbox = await startWith([]);
  const credit = async (): Promise<unknown> =>
    (
      (await (await fetch(`${sandbox.url}/wallet/self/api-credit`, { headers: speechHeaders })).json()) as {
        credit: string;
      }
    ).credit;
  const before = await credit();
  await (await ask(sandbox, 'status=500')).bytes();
  expect(await credit()).toBe(before);
});

it('reads faults with their units', () => {
  expect(readFaults(wordsOf('delay=1.5s, cut=0 drip=1000,malformed-event=3 status=429'))).toEqual({
    delayMilliseconds: 1500,
    cutAfterBytes: 0,
    dripBytesPerSecond: 1000,
    malformedEvent: 3,
    status: 429,
  });
});

it.each([
  ['status=200', '400 to 599'],
  ['delay=5', '500ms'],
  ['cut=-1', 'bytes'],
  ['drip=0', 'at least 1'],
  ['malformed-event=0', 'from 1 on'],
  ['cut=1 cut=2', 'twice'],
  ['toString=1', 'no fault'],
  ['POST /v1/tts', 'nothing that goes wrong'],
  ['status=500 every=0', 'every'],
  ['', 'nothing that goes wrong'],
])('refuses the rule "%s"', (rule, words) => {
  expect(() => readRule(rule)).toThrow(words);
});

it('reads rules from a file, and names the line that is no good', async () => {
  const file = join(await newFolder(), 'chaos.txt');
  await writeFile(file, '# flaky speech\n\nPOST /v1/tts status=503 every=3 # now and then\ndelay=50ms\n');
  expect(readChaosOption(['on', `@${file}`])).toEqual(['POST /v1/tts status=503 every=3', 'delay=50ms']);
  await writeFile(file, 'delay=50ms\ndelay=fast\n');
  expect(() => readChaosOption([`@${file}`])).toThrow(`${file}, line 2`);
});
