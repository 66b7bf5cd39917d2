import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { RelayOptions } from './options.ts';
import type { RunningRelay } from './start-relay.ts';
import { openRaw, page, secretKey, startService, startTestRelay, type TestRelay } from './testing/service.ts';
import { createTickets } from './tickets.ts';

interface Call {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** A service that answers as a test says, and a relay in front of it. */
async function start(
  answer: (response: ServerResponse, call: Call) => void,
  options: Partial<RelayOptions> & { readonly metricsPort?: number } = {},
): Promise<TestRelay & { readonly calls: Call[] }> {
  const calls: Call[] = [];
  const service = await startService(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    calls.push({ request, body });
    answer(response, { request, body });
  });
  const relay = await startTestRelay({
    service,
    authorize: () => ({ user: 'anna', formats: ['mp3'], voices: ['alba'], characters: 50 }),
    operations: ['createSpeech'],
    ...options,
  });
  return { ...relay, calls };
}

const speaks = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'audio/mpeg', 'x-account': '77' });
  response.write('first ');
  response.end('second');
};

function post(
  relay: RunningRelay,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${relay.url}/v1/tts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: page, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

test('an allowed operation is passed on with the key, and its audio comes back', async () => {
  const relay = await start(speaks, { authorize: () => ({ user: 'anna', model: 's1' }), metricsPort: 0 });
  const response = await post(
    relay,
    { text: 'Hello.', format: 'wav' },
    { authorization: 'Bearer ticket', model: 's9' },
  );
  expect([response.status, await response.text()]).toEqual([200, 'first second']);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'audio/mpeg',
    'access-control-allow-origin': page,
    'x-trace-id': expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(response.headers.get('x-account')).toBeNull();
  expect(relay.calls).toMatchObject([
    { request: { url: '/v1/tts', headers: { authorization: `Bearer ${secretKey}`, model: 's1' } } },
  ]);
  expect(JSON.parse(relay.calls[0]?.body ?? '')).toEqual({ text: 'Hello.', format: 'wav' });
  const traceId = response.headers.get('x-trace-id');
  await expect
    .poll(() => relay.log)
    .toEqual([{ event: 'passed', traceId, operation: 'createSpeech', status: 200, characters: 6 }]);
  expect(relay.calls[0]?.request.headers.traceparent).toContain(traceId);
  const metrics = await (await fetch(String(relay.metricsUrl))).text();
  expect(metrics).toMatch(/^speech_relay_calls_total\{operation="createSpeech",status="200"\} 1$/m);
  expect(metrics).toMatch(/^speech_relay_characters_total 6$/m);
});

test('a valid trace of a page goes on at the service, with a parent id of the relay', async () => {
  const relay = await start(speaks);
  const id = '0af7651916cd43dd8448eb211c80319c';
  const trace = async (traceparent: string): Promise<readonly [string, string | null]> => {
    const response = await post(relay, { text: 'Hello.' }, { traceparent });
    await response.body?.cancel();
    return [String(relay.calls.at(-1)?.request.headers.traceparent), response.headers.get('x-trace-id')];
  };
  for (const flags of ['00', '01']) {
    const [sent, answered] = await trace(`00-${id}-b7ad6b7169203331-${flags}`);
    expect(sent).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-${flags}$`));
    expect(sent).not.toContain('b7ad6b7169203331');
    expect(answered).toBe(id);
  }
  for (const invalid of [
    id,
    `ff-${id}-b7ad6b7169203331-01`,
    `00-${id}-${'0'.repeat(16)}-01`,
    `00-${id}-x-01`,
  ]) {
    const [sent, answered] = await trace(invalid);
    expect(sent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(sent).not.toContain(id);
    expect(sent).toContain(answered);
  }
});

test('security: an operation that is not allowed is not there', async () => {
  const relay = await start(speaks);
  for (const path of [
    '/v1/tts/stream/with-timestamp',
    '/model',
    '/wallet/self/api-credit',
    '/v1/tts/',
    '//v1/tts',
  ]) {
    expect((await fetch(relay.url + path, { method: 'POST' })).status, path).toBe(404);
  }
  const got = await fetch(`${relay.url}/v1/tts`);
  expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
  expect(relay.calls).toEqual([]);
});

test('security: a ticket comes as the key would, and is good once', async () => {
  const tickets = createTickets({ secret: 'a secret of thirty-two bytes, or more' });
  const relay = await start(speaks, {
    authorize: ({ ticket }) => (ticket === undefined ? undefined : tickets.redeem(ticket)),
  });
  const authorization = `Bearer ${await tickets.issue({ user: 'anna' })}`;
  expect((await post(relay, { text: 'Hello.' })).status).toBe(401);
  expect((await post(relay, { text: 'Hello.' }, { authorization })).status).toBe(200);
  expect((await post(relay, { text: 'Hello.' }, { authorization })).status).toBe(401);
  expect(relay.calls).toHaveLength(1);
});

test('security: a foreign page can neither ask nor read', async () => {
  const relay = await start(speaks);
  const foreign = await post(relay, { text: 'Hello.' }, { origin: 'https://evil.example' });
  expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  const preflight = (origin: string): Promise<Response> =>
    fetch(`${relay.url}/v1/tts`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
  expect((await preflight('https://evil.example')).status).toBe(403);
  const allowed = await preflight(page);
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, page]);
  expect(relay.calls).toEqual([]);
});

test.each([
  ['no JSON', 'text', {}, 422],
  ['thirty thousand levels', `{"text":"a","x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, {}, 422],
  ['a list', [], {}, 422],
  ['no text', {}, {}, 422],
  ['another type', { text: 'a' }, { 'content-type': 'text/plain' }, 422],
  ['a foreign format', { text: 'a', format: 'wav' }, {}, 403],
  ['a foreign voice', { text: 'a', reference_id: 'blake' }, {}, 403],
  ['samples', { text: 'a', references: [] }, {}, 403],
  ['too much text', { text: 'a'.repeat(51) }, {}, 413],
  ['too large a body', { text: 'a', x: 'a'.repeat(70_000) }, {}, 413],
] as const)('security: a request with %s reaches nobody', async (_, body, headers, status) => {
  const relay = await start(speaks);
  const response = await post(relay, body, headers);
  expect(await response.json()).toEqual({ status, message: expect.any(String) });
  expect(response.status).toBe(status);
  expect(relay.calls).toEqual([]);
});

test.each([
  [401, 500],
  [408, 503],
  [413, 413],
  [429, 429],
  [302, 500],
])('security: %d of the service becomes %d, in our words', async (status, told) => {
  const relay = await start((response) => {
    response.writeHead(status, { 'retry-after': '9', location: 'http://127.0.0.1:1/', 'x-account': '77' });
    response.end(`${secretKey} of account 77`);
  });
  const response = await post(relay, { text: 'Hello.' });
  expect(response.status).toBe(told);
  expect((await response.text()) + JSON.stringify([...response.headers, relay.log])).not.toMatch(
    /the-key|account 77|x-account/,
  );
  expect(response.headers.get('retry-after')).toBe(told === 429 ? '9' : null);
  expect(relay.log).toMatchObject([{ status: told, serviceStatus: status }]);
});

test('security: an answer that a browser would run is passed on as plain bytes', async () => {
  const relay = await start((response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<script>alert(1)</script>');
  });
  const { headers } = await post(relay, { text: 'Hello.' });
  expect(headers.get('content-type')).toBe('application/octet-stream');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('an answer that breaks off breaks off for the page too', async () => {
  const relay = await start((response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' });
    response.write('first ');
    setImmediate(() => response.destroy());
  });
  const response = await post(relay, { text: 'Hello.' });
  await expect(response.text()).rejects.toThrow();
  await expect.poll(() => relay.log).toMatchObject([{ status: 502 }]);
});

test.each([
  ['nothing', () => {}],
  ['headers alone', (response: ServerResponse) => response.writeHead(200).flushHeaders()],
])('a service that answers with %s is given up, and the page learns why', async (_, answer) => {
  let left: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    left = resolve;
  });
  const relay = await start(
    (response) => {
      response.once('close', left);
      answer(response);
    },
    { limits: { firstByteSeconds: 0.5, sessionsPerUser: 1 } },
  );
  for (const _again of [1, 2]) {
    const response = await post(relay, { text: 'Hello.' });
    expect([response.status, await response.json()]).toEqual([
      502,
      { status: 502, message: 'The service did not answer in time.' },
    ]);
    expect(response.headers.get('access-control-allow-origin')).toBe(page);
  }
  await gone;
  expect(relay.log).toMatchObject([{ status: 502 }, { status: 502 }]);
});

test('audio that has begun may take longer than its first byte; beyond a session it is cut, and the log says why', async () => {
  const relay = await start(
    (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write('first ');
    },
    { limits: { firstByteSeconds: 0.5, sessionSeconds: 2 } },
  );
  const response = await post(relay, { text: 'Hello.' });
  await expect(response.text()).rejects.toThrow();
  // The deadline of the first byte would be a 502.
  await expect.poll(() => relay.log).toMatchObject([{ status: 408 }]);
});

test('a drain lets a call finish, and answers a new one with 503', async () => {
  let finish: () => void = () => {};
  const relay = await start(
    (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write('first ');
      finish = () => response.end('second');
    },
    { limits: { drainSeconds: 30 } },
  );
  const response = await post(relay, { text: 'Hello.' });
  const closed = relay.close();
  expect((await post(relay, { text: 'Hello.' })).status).toBe(503);
  finish();
  expect(await response.text()).toBe('first second');
  await closed;
  expect(relay.log.slice(1)).toMatchObject([{ status: 503 }, { status: 200 }]);
});

test('a drain cuts a call that does not finish in time, and the log says so', async () => {
  const relay = await start(
    (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write('first ');
    },
    { limits: { drainSeconds: 0.1 } },
  );
  const response = await post(relay, { text: 'Hello.' });
  await relay.relay.drain();
  await expect(response.text()).rejects.toThrow();
  expect(relay.log.slice(1)).toMatchObject([{ status: 503 }]);
});

test('a page that leaves before the first byte is not a failure of the service', async () => {
  const abort = new AbortController();
  const relay = await start(() => abort.abort());
  const left = post(relay, { text: 'Hello.' }, {}, abort.signal);
  await expect(left).rejects.toThrow();
  await expect.poll(() => relay.log).toMatchObject([{ event: 'passed', status: undefined, characters: 6 }]);
  expect(relay.log[0]).not.toHaveProperty('reason');
});

test('a page that leaves while it is decided upon is not spoken to', async () => {
  let decide: ((grant: { user: string }) => void) | undefined;
  const relay = await start(speaks, {
    authorize: () =>
      new Promise((resolve) => {
        decide = resolve;
      }),
  });
  const abort = new AbortController();
  const left = post(relay, { text: 'Hello.' }, {}, abort.signal);
  await expect.poll(() => decide).toBeDefined();
  abort.abort();
  await expect(left).rejects.toThrow();
  // The relay sees it no later than what comes after it.
  await fetch(`${relay.url}/health`);
  decide?.({ user: 'anna' });
  await expect.poll(() => relay.log).toMatchObject([{ event: 'passed', status: undefined, characters: 0 }]);
  expect(relay.calls).toEqual([]);
});

test('a page that leaves between the head of an answer and its first byte is not a failure of the service', async () => {
  const abort = new AbortController();
  const relay = await start((response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' }).flushHeaders();
    setTimeout(() => abort.abort(), 100);
  });
  const left = post(relay, { text: 'Hello.' }, {}, abort.signal);
  await expect(left).rejects.toThrow();
  await expect.poll(() => relay.log).toMatchObject([{ event: 'passed', status: undefined, characters: 6 }]);
});

test('a page that leaves ends the call to the service, and its place is free again', async () => {
  let left: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    left = resolve;
  });
  const relay = await start(
    (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write('first ');
      response.once('close', left);
    },
    { limits: { sessionsPerUser: 1 } },
  );
  const abort = new AbortController();
  const response = await post(relay, { text: 'Hello.' }, {}, abort.signal);
  expect((await post(relay, { text: 'Hello.' })).status).toBe(429);
  abort.abort();
  await gone;
  await expect(response.text()).rejects.toThrow();
  await expect
    .poll(async () => {
      const again = await post(relay, { text: 'Hello.' });
      await again.body?.cancel();
      return again.status;
    })
    .toBe(200);
  // The refusal of the second call, and the first one, which was answered.
  expect(relay.log.slice(0, 2)).toMatchObject([{ status: 429 }, { status: 200 }]);
});

test.each([
  ['requests', ''],
  ['headers', 'GET /health HTTP/1.1\r\nhost: localhost\r\nx-slow: '],
  [
    'a body',
    'POST /v1/tts HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  ],
])('security: %s that never come to an end are cut', async (_, bytes) => {
  const relay = await start(speaks, { limits: { answerSeconds: 0.1 } });
  const socket = await openRaw(relay, bytes);
  socket.resume();
  socket.once('end', () => socket.end());
  await once(socket, 'close');
  expect(relay.calls).toEqual([]);
});
