import { expect, test } from 'vitest';
import type { RunningSandbox } from '../start-sandbox.ts';
import { createFakeSpeech } from '../testing/fake-speech.ts';
import { speak, speechHeaders, start } from '../testing/sandboxes.ts';

/** Twenty pieces of 500 bytes. */
const startWith = (faults?: readonly string[]): Promise<RunningSandbox> =>
  start({ speech: createFakeSpeech({ pieces: 20, pieceBytes: 500 }), ...(faults ? { faults } : {}) });

const ask = (sandbox: RunningSandbox, faults: string, path?: string): Promise<Response> =>
  speak(sandbox, { text: 'a' }, { ...speechHeaders, 'x-speech-fault': faults }, path);

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

test('is off unless asked for: the header alone does nothing', async () => {
  const response = await ask(await startWith(), 'status=503');
  expect(response.status).toBe(200);
  expect(await read(response)).toEqual({ bytes: 10_000, whole: true });
});

test.each([0, 2250])('cuts the body after %i bytes', async (bytes) => {
  const response = await ask(await startWith([]), `cut=${bytes}`).catch(() => undefined);
  // The head may fall with the connection when nothing follows it.
  if (response === undefined) expect(bytes).toBe(0);
  else expect(await read(response)).toEqual({ bytes, whole: false });
});

test('cuts an answer of one piece too', async () => {
  const { url } = await startWith([]);
  const headers = { ...speechHeaders, 'x-speech-fault': 'cut=10' };
  const response = await fetch(`${url}/model`, { headers });
  expect(await read(response)).toEqual({ bytes: 10, whole: false });
});

test('does not cut a body that is shorter', async () => {
  expect(await read(await ask(await startWith([]), 'cut=20000'))).toEqual({ bytes: 10_000, whole: true });
});

test('holds an answer back', async () => {
  const began = performance.now();
  const response = await ask(await startWith([]), 'delay=200ms');
  expect(performance.now() - began).toBeGreaterThan(190);
  expect(await read(response)).toEqual({ bytes: 10_000, whole: true });
});

test('makes nothing ahead of a drip', async () => {
  const speech = createFakeSpeech({ pieces: 1000, pieceBytes: 1000 });
  const sandbox = await start({ speech, faults: [] });
  const response = await ask(sandbox, 'drip=1000');
  await response.body?.getReader().read();
  expect(speech.made).toBeLessThan(5);
  await response.body?.cancel().catch(() => {});
  await sandbox.close();
  expect(speech.ended).toBe(1);
});

test('leaves refusals as they are: a wrong key is still a wrong key', async () => {
  const headers = { ...speechHeaders, authorization: 'Bearer nobody', 'x-speech-fault': 'status=503' };
  expect((await speak(await startWith(['status=503']), { text: 'a' }, headers)).status).toBe(401);
});

test('lets a page send the header where faults are on', async () => {
  const preflight = async (sandbox: RunningSandbox): Promise<string | null> => {
    const headers = { origin: 'http://localhost:4000', 'access-control-request-method': 'POST' };
    const response = await fetch(`${sandbox.url}/v1/tts`, { method: 'OPTIONS', headers });
    return response.headers.get('access-control-allow-headers');
  };
  expect(await preflight(await startWith([]))).toContain('x-speech-fault');
  expect(await preflight(await startWith())).not.toContain('x-speech-fault');
});

test('charges nothing for a status', async () => {
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
