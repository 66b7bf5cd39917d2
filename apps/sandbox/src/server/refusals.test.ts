import { expect, test } from 'vitest';
import { createFakeSpeech } from '../testing/fake-speech.ts';
import { speak, speechHeaders, start, without } from '../testing/sandboxes.ts';

async function statusOf(response: Response | Promise<Response>): Promise<number> {
  const answered = await response;
  const body = (await answered.json()) as { status?: number } | readonly unknown[];
  // Section 7: the body is the list of issues, or says the same status again.
  if (Array.isArray(body)) expect(answered.status).toBe(422);
  else expect(body).toEqual({ status: answered.status, message: expect.any(String) });
  return answered.status;
}

const withKey = (key: string): Record<string, string> => ({
  ...speechHeaders,
  authorization: `Bearer ${key}`,
});

test.each([undefined, '', 'sandbox-key', 'Basic sandbox-key', 'Bearer', 'Bearer a b'])(
  'answers 401 for the authorization %s',
  async (authorization) => {
    const headers =
      authorization === undefined ? without('authorization') : { ...speechHeaders, authorization };
    expect(await statusOf(speak(await start(), { text: 'a' }, headers))).toBe(401);
  },
);

test('takes the scheme in any case', async () => {
  const headers = { ...speechHeaders, authorization: 'bearer sandbox-key' };
  expect((await speak(await start(), { text: 'a' }, headers)).status).toBe(200);
});

test('lets an account without credit read, which costs nothing', async () => {
  const { url } = await start();
  expect((await fetch(`${url}/model`, { headers: withKey('sandbox-empty') })).status).toBe(200);
});

test('makes its checks in the order of the refusal data: whatever else is wrong, the first one answers', async () => {
  const { url } = await start();
  const post = (path: string, headers: Record<string, string>, body: string): Promise<Response> =>
    fetch(url + path, { method: 'POST', headers, body });
  const broken = '{"text":';
  const text = { 'content-type': 'text/plain' };
  expect(await statusOf(post('/nowhere', text, broken))).toBe(404);
  expect(await statusOf(post('/v1/tts', text, broken))).toBe(401);
  expect(await statusOf(post('/v1/tts', { ...withKey('sandbox-forbidden'), ...text }, broken))).toBe(403);
  expect(await statusOf(post('/v1/tts', { ...withKey('sandbox-busy'), ...text }, broken))).toBe(429);
  expect(await statusOf(post('/v1/tts', { ...withKey('sandbox-empty'), ...text }, broken))).toBe(402);
  expect(await statusOf(post('/v1/tts', { ...withKey('sandbox-key'), ...text }, broken))).toBe(415);
  expect(await statusOf(post('/v1/tts', without('model'), broken))).toBe(422);
  const schema = '{"text":"","format":"wav","sample_rate":48000,"temperature":2}';
  expect(await statusOf(post('/v1/tts', speechHeaders, schema))).toBe(422);
  const rule = '{"text":"a","format":"wav","sample_rate":48000,"reference_id":"no-such-voice"}';
  const refused = await post('/v1/tts', speechHeaders, rule);
  expect(await refused.json()).toMatchObject({ message: expect.stringContaining('sample_rate') });
});

test('counts requests under way by key, and says so in headers', async () => {
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const speech = createFakeSpeech({ before: () => gate });
  const sandbox = await start({ speech });
  const waiting = Array.from({ length: 50 }, () => speak(sandbox, { text: 'a' }));
  while (speech.jobs.length < 50) await new Promise((resolve) => setTimeout(resolve, 5));
  const refused = await speak(sandbox, { text: 'a' });
  expect(refused.headers.get('ratelimit-limit-concurrency')).toBe('50');
  expect(refused.headers.get('ratelimit-current-concurrency')).toBe('50');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await statusOf(refused)).toBe(429);
  open();
  for (const response of await Promise.all(waiting)) {
    expect(response.status).toBe(200);
    await response.bytes();
  }
  const after = await speak(sandbox, { text: 'a' });
  expect(after.status).toBe(200);
  expect(after.headers.get('ratelimit-current-concurrency')).toBe('1');
});

test('accepts in lenient mode what it refuses else', async () => {
  const speech = createFakeSpeech();
  const sandbox = await start({ lenient: true, speech });
  const body = {
    text: 'a',
    reference_id: 'sandbox-mei',
    references: [],
    temprature: 1,
    latency: null,
    opus_bitrate: 32,
  };
  expect((await speak(sandbox, body, without('model'))).status).toBe(200);
  expect(speech.jobs[0]).toMatchObject({ model: 's2-pro', latency: 'normal', opus_bitrate: 32_000 });
  const dialogue = { text: 'a', reference_id: ['sandbox-alba'] };
  expect((await speak(sandbox, dialogue, { ...speechHeaders, model: 's2.1-pro' })).status).toBe(200);
  expect((await speak(sandbox, dialogue, { ...speechHeaders, model: 's1' })).status).toBe(400);
  const headers = { authorization: 'Bearer sandbox-key' };
  const list = await fetch(`${sandbox.url}/model?tag[]=warm&tag[]=female&unknown=1`, { headers });
  expect(await list.json()).toMatchObject({ total: 2 });
});
