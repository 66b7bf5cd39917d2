import { encode } from '@msgpack/msgpack';
import { openLive } from '@speech-api/server/testing';
import { expect, test } from 'vitest';
import { key, speak, speechHeaders, start } from './testing/mocks.ts';

test('tells operation, settings, status and what was wrong, of each call in its order', async () => {
  const mock = await start();
  await speak(mock, { text: 'a', format: 'opus', temperature: 0.5, prosody: null });
  await speak(mock, { text: 'a', format: 'flac' });
  expect(mock.calls).toMatchObject([
    {
      operationId: 'createSpeech',
      method: 'POST',
      path: '/v1/tts',
      contentType: 'application/json',
      settings: { model: 's2-pro', format: 'opus', temperature: 0.5, prosody: null },
      status: 200,
      valid: true,
    },
    { status: 422, valid: false, violations: [{ rule: 'schema', loc: ['body', 'format'], type: 'enum' }] },
  ]);
  mock.clear();
  expect(mock.calls).toEqual([]);
});

test('keeps no key, no text, no audio and no user id, whatever is wrong with a request', async () => {
  const secret = 'XsecretX';
  const mock = await start();
  const live = await openLive(mock, { authorization: `Bearer ${secret}`, model: 's2-pro' });
  live.send({ event: 'start', request: { text: secret, format: secret } });
  await live.closed;
  const bodies = [
    { text: secret },
    { text: secret, temperature: 9 },
    { text: 1, format: secret, latency: secret, prosody: secret },
    { text: [secret], reference_id: [secret], references: [[{ audio: secret, text: secret }]] },
    { text: `<|speaker:7|>${secret}`, reference_id: [secret] },
    [secret],
    secret,
  ];
  for (const body of bodies) {
    for (const headers of [{}, { authorization: secret }, { 'content-type': 'text/plain' }])
      await speak(mock, body as object, headers);
    const packed = { ...speechHeaders, 'content-type': 'application/msgpack' };
    await fetch(`${mock.url}/v1/tts`, { method: 'POST', headers: packed, body: Buffer.from(encode(body)) });
  }
  const truncated = `{"text":"${secret}`;
  await fetch(`${mock.url}/v1/tts`, { method: 'POST', headers: speechHeaders, body: truncated });
  await fetch(`${mock.url}/wallet/${secret}/package?a=${secret}`, { headers: key });
  await fetch(`${mock.url}/model/${secret}`, { headers: { authorization: `Bearer ${secret}` } });
  const form = new FormData();
  form.append('audio', secret);
  form.append('language', 'en');
  await fetch(`${mock.url}/v1/asr`, { method: 'POST', headers: key, body: form });
  const log = await (await fetch(`${mock.url}/__calls`)).text();
  expect(mock.calls.length).toBeGreaterThan(30);
  expect(log).not.toContain(secret);
  expect(log).not.toContain(Buffer.from(secret).toString('base64').slice(0, 8));
});

test.each(['settings', 'bodies'] as const)(
  'shows no key that stands where a name belongs, however it is spelt, while it records %s',
  async (record) => {
    const lines: string[] = [];
    const mock = await start({ record, onCall: (call) => void lines.push(JSON.stringify(call)) });
    const secret = 'my-secret.key';
    const encoded = ['my%2Dsecret.key', 'my%2dsecret%2Ekey', '%6D%79-secret.key'];
    const headers = { authorization: `Bearer ${secret}` };
    const paths = [secret, ...encoded].flatMap((name) => [
      `/${name}/${name}`,
      `/model/${name}/x`,
      `/model?${name}=1`,
    ]);
    paths.push(`/${'x'.repeat(112)}${secret}`);
    for (const path of paths) await (await fetch(mock.url + path, { headers })).text();
    await (await fetch(`${mock.url}/model/${secret}`, { method: 'PUT', headers })).text();
    await speak(mock, { text: 'a', [secret]: 1, format: secret }, headers);
    await speak(mock, { text: 'a' }, { ...headers, model: secret });
    await speak(mock, { text: 'a' }, { ...headers, 'content-type': `text/${secret}` });
    await expect.poll(() => lines.length).toBe(paths.length + 4);
    expect(lines.filter((line) => line.includes('…')).length).toBe(lines.length);
    expect(decodeURIComponent(lines.join('\n'))).not.toMatch(/my-secret|xmy-/);
  },
);

test('tells it over HTTP too, for tests in other languages', async () => {
  const mock = await start();
  await speak(mock, {});
  const url = `${mock.url}/__calls`;
  expect(await (await fetch(url)).json()).toMatchObject({ invalid: 1, calls: [{ valid: false }] });
  expect((await fetch(url, { headers: { origin: 'https://evil.example.com' } })).status).toBe(403);
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(200);
  expect(await (await fetch(url)).json()).toEqual({ invalid: 0, calls: [] });
});

test('keeps whole requests where bodies are recorded, without the key, and reports them over HTTP only', async () => {
  const secret = 'XsecretX';
  const mock = await start({ record: 'bodies' });
  const headers = { authorization: `Bearer ${secret}`, 'x-copy-of-the-key': secret, 'x-request-id': '7' };
  await speak(mock, { text: 'The tide comes in.', reference_id: 'voice-anna' }, headers);
  const live = await openLive(mock, { authorization: `Bearer ${secret}`, model: 's2-pro' });
  live.send({ event: 'start', request: { text: 'One ', format: 'pcm' } }, { event: 'text', text: 'two.' });
  live.send({ event: 'stop' });
  await live.next('finish');
  live.socket.close();
  const [speech, session] = mock.calls;
  expect(speech?.sent?.body).toEqual({ text: 'The tide comes in.', reference_id: 'voice-anna' });
  expect(speech?.sent?.headers).toMatchObject({ model: 's2-pro', 'x-request-id': '7' });
  expect(session?.sent?.body).toMatchObject({ text: 'One two.', format: 'pcm' });
  expect(JSON.stringify([speech?.sent, session?.sent])).not.toContain(secret);
  const reported = await (await fetch(`${mock.url}/__calls`)).text();
  const body = { text: 'The tide comes in.', reference_id: 'voice-anna' };
  expect(JSON.parse(reported).calls[0].sent.body).toEqual(body);
  expect(reported).not.toContain(secret);
  expect(JSON.stringify(mock.calls)).not.toContain('tide');
});
