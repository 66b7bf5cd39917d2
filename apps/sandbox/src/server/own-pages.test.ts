import { expect, test } from 'vitest';
import type { RecentCall } from '../recent-calls.ts';
import type { RunningSandbox, SandboxOptions } from '../start-sandbox.ts';
import { speak, speechHeaders, start } from '../testing/sandboxes.ts';

async function requestsOf({ url }: RunningSandbox): Promise<RecentCall[]> {
  const response = await fetch(`${url}/__sandbox/requests`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { readonly requests: RecentCall[] }).requests;
}

async function startAndSpeak(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const sandbox = await start(options);
  await (await speak(sandbox, { text: 'A private text.', format: 'mp3' })).bytes();
  await expect.poll(async () => (await requestsOf(sandbox))[0]?.state).toBe('complete');
  return sandbox;
}

test('lists recent calls, without keys, and without texts unless told to', async () => {
  const sandbox = await startAndSpeak();
  await fetch(`${sandbox.url}/wallet/sandbox-user/package`, { headers: speechHeaders });
  await fetch(`${sandbox.url}/model?title=secret`, { headers: speechHeaders });
  const requests = await requestsOf(sandbox);
  expect(requests[2]).toMatchObject({
    method: 'POST',
    path: '/v1/tts',
    status: 200,
    speech: { model: 's2-pro', format: 'mp3', latency: 'normal', text_code_points: 15, audio_kept: true },
  });
  expect(requests.map(({ path }) => path)).toEqual(['/model', '/wallet/{user_id}/package', '/v1/tts']);
  expect(JSON.stringify(requests)).not.toMatch(/sandbox-key|private|secret|sandbox-user/);
  const [shown] = await requestsOf(await startAndSpeak({ showText: true }));
  expect(shown?.speech?.text).toBe('A private text.');
});

test('plays the audio of a call, in parts too', async () => {
  const sandbox = await startAndSpeak();
  const [call] = await requestsOf(sandbox);
  const url = `${sandbox.url}/__sandbox/requests/${call?.id}/audio`;
  const whole = await fetch(url);
  expect(whole.headers.get('content-type')).toBe('audio/mpeg');
  const bytes = await whole.bytes();
  expect(bytes).toHaveLength(8);
  const part = await fetch(url, { headers: { range: 'bytes=2-5' } });
  expect(part.status).toBe(206);
  expect(part.headers.get('content-range')).toBe('bytes 2-5/8');
  expect(await part.bytes()).toEqual(bytes.subarray(2, 6));
  expect((await fetch(url, { headers: { range: 'bytes=8-' } })).status).toBe(416);
  expect((await fetch(`${sandbox.url}/__sandbox/requests/999/audio`)).status).toBe(404);
});

test.each([
  '/',
  '/__sandbox/',
  '/__sandbox/health',
  '/__sandbox/requests',
  '/__sandbox/requests/1/audio',
  '/__sandbox/page.js',
])('shows %s to its own origin only', async (path) => {
  const { url } = await startAndSpeak();
  expect((await fetch(url + path)).status).toBe(200);
  expect((await fetch(url + path, { headers: { origin: url } })).status).toBe(200);
  expect((await fetch(url + path, { headers: { origin: 'http://localhost:4000' } })).status).toBe(403);
  expect((await fetch(url + path, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
});

test('has a page that runs nothing but its own files', async () => {
  const { url } = await start();
  const response = await fetch(`${url}/__sandbox/`);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  const html = await response.text();
  expect(html).toContain('<html lang="en">');
  expect(html).not.toMatch(/style=|<style|<script>|onclick/);
  for (const [, file] of html.matchAll(/(?:src|href)="(page\.[a-z]+)"/g)) {
    expect((await fetch(`${url}/__sandbox/${file}`)).status).toBe(200);
  }
});
