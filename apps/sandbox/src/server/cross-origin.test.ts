import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { RunningSandbox } from '../start-sandbox.ts';
import { createFakeSpeech } from '../testing/fake-speech.ts';
import { speak, speechHeaders, start } from '../testing/sandboxes.ts';

const page = 'http://localhost:4000';

/** `fetch` does not let a test choose `Host`. */
function statusFor(sandbox: RunningSandbox, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(sandbox.url + path, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

test('lets the page on another loopback port in, and shows it the documented headers', async () => {
  const response = await speak(await start(), { text: 'a' }, { ...speechHeaders, origin: page });
  expect(response.status).toBe(200);
  expect(response.headers.get('access-control-allow-origin')).toBe(page);
  expect(response.headers.get('access-control-expose-headers')).toContain('x-trace-id');
  expect(response.headers.get('vary')).toContain('origin');
});

test('lets the page read an error too', async () => {
  const response = await speak(await start(), {}, { ...speechHeaders, origin: page });
  expect(response.status).toBe(422);
  expect(response.headers.get('access-control-allow-origin')).toBe(page);
});

test('answers a preflight without a key', async () => {
  const { url } = await start();
  const preflight = (origin: string): Promise<Response> =>
    fetch(`${url}/v1/tts`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,model',
      },
    });
  const allowed = await preflight(page);
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get('access-control-allow-origin')).toBe(page);
  expect(allowed.headers.get('access-control-allow-headers')).toContain('model');
  const foreign = await preflight('https://evil.example');
  expect(foreign.status).toBe(403);
  expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
});

test.each(['https://evil.example', 'null', 'http://localhost.evil.example'])(
  'keeps a page of %s out',
  async (origin) => {
    const speech = createFakeSpeech();
    const response = await speak(await start({ speech }), { text: 'a' }, { ...speechHeaders, origin });
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(speech.jobs).toHaveLength(0);
  },
);

test('lets an allowed origin in', async () => {
  const origin = 'https://staging.example.com';
  const sandbox = await start({ allowOrigin: [origin] });
  expect((await speak(sandbox, { text: 'a' }, { ...speechHeaders, origin })).status).toBe(200);
});

test('does not answer to a foreign name, which a page could have given to this address', async () => {
  const sandbox = await start();
  const headers = { authorization: 'Bearer sandbox-key' };
  expect(await statusFor(sandbox, '/model', { ...headers, host: 'localhost' })).toBe(200);
  expect(await statusFor(sandbox, '/model', { ...headers, host: 'evil.example' })).toBe(403);
  expect(await statusFor(sandbox, '/', { host: 'evil.example' })).toBe(403);
  expect(await statusFor(sandbox, '/nowhere', { host: 'evil.example' })).toBe(403);
});
