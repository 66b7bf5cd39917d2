import { expect, test } from 'vitest';
import type { RunningSandbox, SandboxOptions } from '../start-sandbox.ts';
import { speak, speechHeaders, start } from '../testing/sandboxes.ts';

async function startAndSpeak(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const sandbox = await start(options);
  await (await speak(sandbox, { text: 'A private text.', format: 'mp3' })).bytes();
  await expect.poll(() => sandbox.calls[0]?.state).toBe('complete');
  return sandbox;
}

test('records its calls, without keys, and without texts and audio unless told to', async () => {
  const sandbox = await startAndSpeak();
  await fetch(`${sandbox.url}/wallet/sandbox-user/package`, { headers: speechHeaders });
  await fetch(`${sandbox.url}/model?title=secret`, { headers: speechHeaders });
  await fetch(sandbox.url);
  expect(sandbox.calls).toMatchObject([
    { path: '/v1/tts', settings: { format: 'mp3' }, status: 200, audio: { bytes: 8, kept: false } },
    { path: '/wallet/{user_id}/package' },
    { path: '/model' },
  ]);
  const { calls } = (await (await fetch(`${sandbox.url}/__calls`)).json()) as { readonly calls: unknown[] };
  expect(calls).toEqual(JSON.parse(JSON.stringify(sandbox.calls)));
  expect(JSON.stringify(calls)).not.toMatch(/sandbox-key|private|secret|sandbox-user/);
  expect((await fetch(`${sandbox.url}/__calls/1/audio`)).status).toBe(404);
  const open = await startAndSpeak({ record: 'bodies' });
  expect(open.calls[0]).toMatchObject({ sent: { body: { text: 'A private text.' } }, audio: { kept: true } });
});

test('says why it refuses, and whether the request was at fault', async () => {
  const sandbox = await start();
  await speak(sandbox, { text: 'a' }, { ...speechHeaders, authorization: 'Bearer sandbox-empty' });
  await speak(sandbox, { text: 'a', temperature: 3 });
  expect(sandbox.calls).toMatchObject([
    { status: 402, valid: true, message: expect.stringContaining('no credit') },
    { status: 422, valid: false, violations: [{ message: expect.stringContaining('temperature') }] },
  ]);
});

test.each(['/', '/__calls', '/__calls/1/audio', '/__calls/page.js', '/__sandbox/health'])(
  'shows %s to its own origin only',
  async (path) => {
    const { url } = await startAndSpeak({ record: 'bodies' });
    expect((await fetch(url + path)).status).toBe(200);
    expect((await fetch(url + path, { headers: { origin: url } })).status).toBe(200);
    expect((await fetch(url + path, { headers: { origin: 'http://localhost:4000' } })).status).toBe(403);
    expect((await fetch(url + path, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  },
);
