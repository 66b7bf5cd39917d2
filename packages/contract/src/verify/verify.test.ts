import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { CannotJudge } from '../errors.ts';
import { generalError, issue, page } from '../testing/exchanges.ts';
import { addressOfNobody, answerJson, listenTo } from '../testing/serve.ts';
import { planFor, verify } from './verify.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  /** Fingerprint of a request: its method, address, the headers that matter, and the body. */
  readonly print: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse, seen: readonly Seen[]) => void;

/** A server that gives the configured answers and records its requests. */
async function serve(answer: Answer) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const type = headers['content-type']?.split(';')[0];
    const body = Buffer.concat(await request.toArray()).toString('base64');
    const { model, traceparent, authorization } = headers;
    seen.push({ method, url, print: [method, url, type, model, traceparent, authorization, body].join(' ') });
    answer(request, response, seen);
  });
  return { target: await listenTo(server), seen, server };
}

const sayYes: Answer = (_request, response) => answerJson(response, 200, page([]));
const key = 'some-key';

test('a run on a server that says yes to everything finds that, stays within its budget and sends no POST twice', async () => {
  const { target, seen } = await serve(sayYes);
  const report = await verify({ target, key, quick: true, limits: { calls: 60 } });
  expect(report.findings.filter(({ rule }) => rule === 'refusal-expected').length).toBeGreaterThan(5);
  expect(seen.length).toBeLessThanOrEqual(60);
  const posts = seen.filter(({ method }) => method === 'POST').map(({ print }) => print);
  expect(posts.filter((print, index) => posts.indexOf(print) !== index)).toEqual([]);
});

describe('voice models that a run has made', () => {
  const making: Answer = (request, response, seen) => {
    if (request.method === 'POST') answerJson(response, 201, { _id: `voice-${seen.length}` });
    else if (request.method === 'DELETE') response.writeHead(200).end();
    else answerJson(response, 200, page([]));
  };

  test('are deleted when the run is interrupted in between', async () => {
    const controller = new AbortController();
    const { target, seen } = await serve((request, response, all) => {
      making(request, response, all);
      if (request.method === 'POST') controller.abort();
    });
    const report = await verify({ target, key, only: ['voice-life'], signal: controller.signal });
    expect(report.run).toMatchObject({ interrupted: true, leftBehind: [] });
    expect(seen.map(({ method, url }) => `${method} ${url}`).slice(-2)).toEqual([
      'POST /model',
      'DELETE /model/voice-2',
    ]);
  });

  test('are deleted although the server should have refused to make them', async () => {
    const { target, seen } = await serve(making);
    const report = await verify({ target, key, only: ['voice-without-title'], firstCall: false });
    expect(report.findings.map(({ rule }) => rule)).toContain('refusal-expected');
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    expect(report.run.spent.calls).toBe(2);
  });

  test('cost no second call where the server refuses to make them', async () => {
    const { target, seen } = await serve((_request, response) => answerJson(response, 422, [issue()]));
    const options = { only: ['voice-without-title'], firstCall: false };
    const report = await verify({ target, key, ...options });
    expect(seen.map(({ method }) => method)).toEqual(['POST']);
    expect(report.run.spent.calls).toBe(1);
    expect(planFor(options).cost.calls).toBe(2);
  });

  test('are named when they cannot be deleted, and nothing is judged that a deletion would change', async () => {
    const { target } = await serve((request, response, seen) => {
      if (request.method === 'DELETE') answerJson(response, 500, generalError(500));
      else making(request, response, seen);
    });
    const report = await verify({ target, key, only: ['voice-kept'], firstCall: false });
    expect(report.run.leftBehind).toEqual(['the voice model voice-1: DELETE answered 500']);
    const skipped = ['getModel, deleted', 'deleteModel, for the second time'];
    expect(report.run.skipped.map(({ step }) => step)).toEqual(skipped);
  });

  test('are none when the run may only read', async () => {
    const { target, seen } = await serve(sayYes);
    await verify({ target, key, readOnly: true });
    const changing = seen.filter(
      ({ method, url }) =>
        method === 'PATCH' || method === 'DELETE' || (method === 'POST' && url === '/model'),
    );
    expect(changing).toEqual([]);
  });
});

test('a server that does not know the key is asked once', async () => {
  const { target, seen } = await serve((_request, response) => answerJson(response, 401, generalError(401)));
  await expect(verify({ target, key })).rejects.toThrow(CannotJudge);
  expect(seen).toHaveLength(1);
});

test('a server that stops listening is not judged, and nothing more is sent', async () => {
  const { target, seen, server } = await serve((_request, response, all) => {
    answerJson(response, 200, page([]));
    if (all.length < 9) return;
    server.closeAllConnections();
    server.close();
  });
  const report = await verify({ target, key });
  expect(report.findings.filter(({ message }) => message.startsWith('No answer came'))).toEqual([]);
  expect(report.circumstances).toMatchObject([{ reason: 'no-answer' }]);
  expect(report.run.spent.calls).toBeLessThan(seen.length + 3);
  expect(report.run.skipped.at(-1)?.reason).toMatch(/^the server stopped listening after call/);
});

test('a server that is not there, and one that is slow, are told apart', async () => {
  const nobody = await addressOfNobody();
  const except = ['listModels'] as const;
  await expect(verify({ target: nobody, key, except })).rejects.toThrow(
    /cannot be reached: the connection was/,
  );
  const { target } = await serve(() => {});
  await expect(verify({ target, key, transport: { idleMs: 50, totalMs: 200 } })).rejects.toThrow(/is slow:/);
});

test('the first answer may take longer than --timeout, as from a server that was asleep', async () => {
  const { target } = await serve((_request, response) => {
    setTimeout(() => answerJson(response, 200, page([])), 400);
  });
  const report = await verify({
    target,
    key,
    only: ['key-lower-case'],
    transport: { idleMs: 200, totalMs: 5000 },
  });
  expect(report.exchanges[0]).toMatchObject({ status: 200 });
});

test('a key from a file with a line end is sent without it', async () => {
  const { target, seen } = await serve(sayYes);
  await verify({ target, key: `${key}\n`, only: ['list-languages'] });
  expect(seen[0]?.print).toContain(`Bearer ${key} `);
});

test('a server with three of ten operations is told each other one once, and nothing of those left out', async () => {
  const { target } = await serve((request, response) => {
    const isList = request.method === 'GET' && /^\/model(\?|$)/.test(request.url ?? '');
    if (!/^bearer some-key$/i.test(request.headers.authorization ?? ''))
      answerJson(response, 401, generalError(401));
    else if (isList) answerJson(response, 200, page([]));
    else answerJson(response, 404, generalError(404));
  });
  const { findings } = await verify({ target, key, quick: true });
  const others = findings.filter(
    ({ operationId }) => operationId !== 'listModels' && operationId !== undefined,
  );
  const names = others.filter(({ rule }) => rule !== 'refusal-headers').map(({ operationId }) => operationId);
  expect(names.length).toBe(new Set(names).size);
  const chosen = await verify({ target, key, quick: true, operations: ['listModels'] });
  expect(chosen.findings.filter(({ operationId }) => operationId !== 'listModels')).toEqual([]);
  expect(chosen.coverage.uncovered.filter(({ operationId }) => operationId !== 'listModels')).toEqual([]);
});

test('after a finish that never came, the other live sessions are not held', async () => {
  const { target, server } = await serve(sayYes);
  const sockets = new WebSocketServer({ server });
  const report = await verify({ target, key, operations: ['openLiveSession'], transport: { idleMs: 200 } });
  sockets.close();
  expect(report.exchanges.filter(({ status }) => status === 101)).toHaveLength(1);
  expect(new Set(report.run.skipped.map(({ reason }) => reason))).toEqual(
    new Set(['an earlier session got no finish']),
  );
});
