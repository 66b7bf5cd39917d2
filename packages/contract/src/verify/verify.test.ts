import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { CannotJudge } from '../errors.ts';
import { exitCodeOf } from '../judge/report.ts';
import { planFor, verify } from './verify.ts';

const close: (() => void)[] = [];
afterEach(() => {
  for (const end of close.splice(0)) end();
});

interface Seen {
  readonly method: string;
  readonly url: string;
  /** Fingerprint of a request: its method, address, the headers that matter, and the body. */
  readonly print: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse, seen: readonly Seen[]) => void;

/** A server that gives the configured answers and records its requests. */
async function serve(answer: Answer): Promise<{ target: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const named = [
        headers['content-type']?.split(';')[0],
        headers.model,
        headers.traceparent,
        headers.authorization,
      ];
      seen.push({
        method,
        url,
        print: [method, url, ...named, Buffer.concat(pieces).toString('base64')].join(' '),
      });
      answer(request, response, seen);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const emptyList = { total: 0, items: [], has_more: false };
const key = 'some-key';

describe('a run on a server that says yes to everything', () => {
  test('finds that, stays within its budget and sends no POST twice', async () => {
    const { target, seen } = await serve((_request, response) => json(response, 200, emptyList));
    const report = await verify({ target, key, budget: { calls: 60 } });
    expect(report.findings.filter(({ rule }) => rule === 'refusal-expected').length).toBeGreaterThan(5);
    expect(seen.length).toBeLessThanOrEqual(75);
    const posts = seen.filter(({ method }) => method === 'POST').map(({ print }) => print);
    expect(posts.filter((print, index) => posts.indexOf(print) !== index)).toEqual([]);
  });

  test('makes a generated request smaller until nothing in it can go', async () => {
    const { target, seen } = await serve((_request, response) => json(response, 200, emptyList));
    const options = { target, key, only: ['generated-broken-updateModel-2'], firstCall: false };
    const report = await verify({ ...options, budget: { calls: 30 } });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.length).toBeLessThanOrEqual(30);
    expect(new Set(seen.map(({ print }) => print)).size).toBe(seen.length);
    const [exchange] = report.exchanges;
    expect(exchange?.name).toMatch(/made smaller$/);
    const [finding] = report.findings.filter(({ rule }) => rule === 'refusal-expected');
    expect(finding?.curl).toContain('/model/speech-contract-no-such-voice');
    expect(finding?.curl?.length).toBeLessThan(300);
  });

  test('sends nothing beyond the budget to make one smaller', async () => {
    const { target, seen } = await serve((_request, response) => json(response, 200, emptyList));
    await verify({
      target,
      key,
      only: ['generated-broken-updateModel-2'],
      firstCall: false,
      budget: { calls: 1 },
    });
    expect(seen).toHaveLength(1);
  });
});

describe('voice models that a run has made', () => {
  const making: Answer = (request, response, seen) => {
    if (request.method === 'POST') json(response, 201, { _id: `voice-${seen.length}` });
    else if (request.method === 'DELETE') response.writeHead(200).end();
    else json(response, 200, emptyList);
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
    const { target, seen } = await serve((_request, response) =>
      json(response, 422, [{ loc: ['title'], type: 'missing', msg: 'Field required' }]),
    );
    const options = { only: ['voice-without-title'], firstCall: false };
    const report = await verify({ target, key, ...options });
    expect(seen.map(({ method }) => method)).toEqual(['POST']);
    expect(report.run.spent.calls).toBe(1);
    expect(planFor(options).cost.calls).toBe(2);
  });

  test('are named when they cannot be deleted', async () => {
    const { target } = await serve((request, response, seen) => {
      if (request.method === 'DELETE') json(response, 500, { status: 500, message: 'no' });
      else making(request, response, seen);
    });
    const report = await verify({ target, key, only: ['voice-from-json'], firstCall: false });
    expect(report.run.leftBehind).toEqual(['the voice model voice-1: DELETE answered 500']);
  });

  test('are none when the run may only read', async () => {
    const { target, seen } = await serve((_request, response) => json(response, 200, emptyList));
    await verify({ target, key, readOnly: true });
    const changing = seen.filter(
      ({ method, url }) =>
        method === 'PATCH' || method === 'DELETE' || (method === 'POST' && url === '/model'),
    );
    expect(changing).toEqual([]);
  });
});

test('a server that does not know the key is asked once', async () => {
  const { target, seen } = await serve((_request, response) =>
    json(response, 401, { status: 401, message: 'who?' }),
  );
  await expect(verify({ target, key })).rejects.toThrow(CannotJudge);
  expect(seen).toHaveLength(1);
});

describe('a server without room for one operation', () => {
  const busy: Answer = (request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${key}`;
    if (isKnown && request.method === 'GET' && /^\/model(\?|$)/.test(request.url ?? ''))
      json(response, 200, emptyList);
    else json(response, 503, { status: 503, message: 'busy' });
  };

  test('is told what was answered, not that the calls were left out', async () => {
    const { target } = await serve(busy);
    const report = await verify({ target, key });
    const reasonOf = (operation: string) =>
      report.coverage.uncovered.find(({ operationId }) => operationId === operation)?.reason;
    for (const operation of ['createSpeech', 'streamSpeechWithTimestamps', 'getPackage']) {
      expect(reasonOf(operation)).toMatch(/^made \w+( times)?, (always )?answered 503$/);
    }
    expect(reasonOf('createTranscription')).toBe('an earlier answer did not give speech');
    expect(reasonOf('openLiveSession')).toMatch(/^made/);
    expect(reasonOf('deleteModel')).toBe('an earlier answer did not give voice');
    expect(report.circumstances).toMatchObject([{ reason: 'no-room' }]);
    expect(exitCodeOf(report)).toBe(2);
  });
});

test('a server that stops listening is one finding, and nothing more is sent', async () => {
  const { target, seen } = await serve((_request, response, all) => {
    json(response, 200, emptyList);
    if (all.length === 9) for (const end of close.splice(0)) end();
  });
  const report = await verify({ target, key });
  const unanswered = report.findings.filter(({ message }) => message.startsWith('No answer came'));
  expect(unanswered).toMatchObject([
    {
      severity: 'error',
      message: expect.stringMatching(/^No answer came: the server stopped listening after call \d+\.$/),
    },
  ]);
  // Each of four scenarios may lose a call under way and have one refused.
  expect(report.run.spent.calls).toBeLessThan(seen.length + 10);
  expect(report.run.skipped.at(-1)?.reason).toMatch(/^the server stopped listening after call/);
});

test('a call without an answer says why', async () => {
  const { target } = await serve((_request, response, seen) => {
    if (seen.length === 1) json(response, 200, emptyList);
    else if (seen.length === 2) response.destroy();
  });
  const report = await verify({ target, key, only: ['wallet-own'], limits: { idleMs: 500 } });
  expect(report.findings.map(({ message }) => message)).toEqual([
    'No answer came: the connection was closed without an answer.',
  ]);
  expect(report.circumstances).toMatchObject([{ reason: 'late', calls: 1 }]);
});
