import { expect, test } from 'vitest';
import type { HttpExchange } from '../exchange.ts';
import { serve } from '../testing/serve.ts';
import { createCleanUp } from './clean-up.ts';
import type { Target } from './preflight.ts';

const limits = { idleMs: 30_000, totalMs: 30_000, bodyBytes: 10_000 };

/** A server that deletes with this status and notes down what it was asked. */
async function serveDeletions(status: number): Promise<{ target: Target; calls: string[] }> {
  const calls: string[] = [];
  const base = await serve((request, response) => {
    calls.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(status).end();
  });
  return { target: { base, live: base, key: 'some-key' }, calls };
}

const exchange = (
  operationId: HttpExchange['operationId'],
  status: number,
  path: string,
  body = '',
): HttpExchange => ({
  kind: 'http',
  name: 'x',
  ...(operationId !== undefined && { operationId }),
  request: { method: 'POST', url: `http://127.0.0.1${path}`, headers: {}, decoded: { title: 'A title' } },
  response: { status, headers: {}, body: new TextEncoder().encode(body), ended: 'complete' },
});

test('says what may have been made where the answer got lost or cannot be read', async () => {
  const { target } = await serveDeletions(200);
  const cleanUp = createCleanUp(target, limits);
  cleanUp.note(exchange('createModel', 0, '/model'));
  cleanUp.note(exchange('createModel', 201, '/model', 'not JSON'));
  cleanUp.note(exchange('createModel', 422, '/model', '[]'));
  expect(await cleanUp.finish()).toEqual([
    expect.stringContaining('"A title"'),
    expect.stringContaining('"A title"'),
  ]);
});

test('misses no voice of a connection that was refused, and names one without a title as such', async () => {
  const { target } = await serveDeletions(200);
  const cleanUp = createCleanUp(target, limits);
  cleanUp.note(exchange('createModel', 0, '/model'), Object.assign(new Error(), { code: 'ECONNREFUSED' }));
  expect(await cleanUp.finish()).toEqual([]);
  const { request, ...rest } = exchange('createModel', 0, '/model');
  cleanUp.note({ ...rest, request: { ...request, decoded: {} } }, new Error('reset'));
  expect(await cleanUp.finish()).toEqual([
    'perhaps a voice model without a title, whose answer could not be read',
  ]);
});
