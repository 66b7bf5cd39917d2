import { limits, mediaTypes, operationTable } from '@speech-api/types';
import { expect, test } from 'vitest';
import { expectGeneral, expectIssues, useCalls } from './calls.ts';

const { call, speak, sandbox } = useCalls('silent', { concurrency: 5 });

const endpoints = Object.values(operationTable)
  .filter((operation) => !operation.webSocket)
  .map(({ method, path }) => [method, path.replaceAll(/\{\w+\}/g, 'self')] as const);

test.each(endpoints)(
  'section 5: every endpoint needs a key: without one it answers 401',
  async (method, path) => {
    await expectGeneral(await call(path, { method, headers: { authorization: undefined } }), 401);
  },
);

test.each(endpoints)(
  'section 5: every endpoint refuses a key that is not known with 401',
  async (method, path) => {
    await expectGeneral(await call(path, { method, headers: { authorization: 'Bearer nobody' } }), 401);
  },
);

test('section 5: the key comes as a bearer token and in no other way', async () => {
  await expectGeneral(await call('/model', { headers: { authorization: 'Basic sandbox-key' } }), 401);
  await expectGeneral(await call('/model?key=sandbox-key', { headers: { authorization: undefined } }), 401);
});

test('section 7: a general error is an object of status and message', async () => {
  expect(await expectGeneral(await call('/nowhere'), 404)).toContain('/nowhere');
});

test('section 7: a validation error is a list of loc, type, msg and ctx, which names the field', async () => {
  expect(await expectIssues(await speak({ text: 'a', temperature: 'warm' }))).toEqual([
    'body',
    'temperature',
  ]);
});

test.each(['{', '[]', '"text"', ''])(
  'section 7: a body that is no object answers with the validation list',
  async (body) => {
    const headers = { 'content-type': mediaTypes.json };
    await expectIssues(await speak(undefined, { headers, body }));
  },
);

test('section 7: an account without credit is told so, before its parameters are looked at', async () => {
  const headers = { authorization: 'Bearer sandbox-empty' };
  await expectGeneral(await speak({ text: 'a' }, { headers }), 402);
  await expectGeneral(await speak({ text: 'a', temperature: 2 }, { headers }), 402);
});

test('section 7: a key that may do nothing is told so', async () => {
  await expectGeneral(
    await speak({ text: 'a' }, { headers: { authorization: 'Bearer sandbox-forbidden' } }),
    403,
  );
});

test('section 7: an unknown method answers with the methods there are', async () => {
  const response = await call('/v1/tts', { method: 'DELETE' });
  expect(response.headers.get('allow')).toContain('POST');
  await expectGeneral(response, 405);
});

test('section 8: more requests at once than the account may have are refused', async () => {
  const busy = await speak({ text: 'a' }, { headers: { authorization: 'Bearer sandbox-busy' } });
  expect(busy.headers.get('retry-after')).toMatch(/^\d+$/);
  await expectGeneral(busy, 429);
  const free = await speak({ text: 'a' });
  expect(free.headers.get('ratelimit-limit-concurrency')).toBe('5');
  expect(Number(free.headers.get('ratelimit-current-concurrency'))).toBeGreaterThan(0);
});

test('section 8: a body above its limit is refused', async () => {
  const body = new Uint8Array(limits.requestBodyBytes + 1);
  const response = await fetch(`${sandbox().url}/v1/tts`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key', model: 's2-pro', 'content-type': mediaTypes.msgpack },
    body,
  });
  await expectGeneral(response, 413);
});

test('section 4.3: a JSON body is refused with 415', async () => {
  const headers = { 'content-type': mediaTypes.json };
  await expectGeneral(await call('/v1/asr', { method: 'POST', headers, body: '{}' }), 415);
});

test('section 4.3: the audio is required', async () => {
  const body = new FormData();
  body.append('language', 'en');
  expect(await expectIssues(await call('/v1/asr', { method: 'POST', body }))).toEqual(['body', 'audio']);
});

test('section 4.6: the upgrade is refused without a key that is known', async () => {
  const upgrade = (authorization: string): Promise<number> =>
    new Promise((resolve, reject) => {
      import('node:http').then(({ request }) => {
        const headers = {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          authorization,
        };
        const outgoing = request(`${sandbox().url}/v1/tts/live`, { headers });
        outgoing.on('response', (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        outgoing.on('error', reject);
        outgoing.end();
      }, reject);
    });
  expect(await upgrade('Bearer nobody')).toBe(401);
  expect(await upgrade('Bearer sandbox-empty')).toBe(402);
  expect(await upgrade('Bearer sandbox-forbidden')).toBe(403);
});
