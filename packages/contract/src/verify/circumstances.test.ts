import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { exitCodeOf } from '../judge/report.ts';
import { writeReport } from '../report/write-report.ts';
import { credit, generalError, page } from '../testing/exchanges.ts';
import { answerJson, serve } from '../testing/serve.ts';
import { type VerifyOptions, verify } from './verify.ts';

/** Judges a server that answers wallets, and everything else as the test says. */
async function judgeServer(
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  options: Partial<VerifyOptions> = {},
) {
  const target = await serve((incoming, outgoing) => {
    incoming.resume();
    answer(incoming, outgoing);
  });
  return verify({ target, key: 'key-of-tests', ...options });
}

const list = (outgoing: ServerResponse): void => answerJson(outgoing, 200, page([]));
const refuse = (outgoing: ServerResponse, status: number, headers: object = {}): void =>
  answerJson(outgoing, status, generalError(status), headers);

test.each([
  [403, 'the key has no permission (403)'],
  [502, 'a gateway answers in place of the server (502, 504)'],
  [503, 'the server has no room (503)'],
])('%i convicts nobody: it is the reason why not all could be judged', async (status, words) => {
  const report = await judgeServer(
    ({ url }, outgoing) => (url === '/model' ? list(outgoing) : refuse(outgoing, status)),
    { only: ['speech-mp3-1', 'speech-wrong-an-unknown-format'] },
  );
  expect(report.findings).toEqual([]);
  expect(report.circumstances).toMatchObject([{ calls: 2, exchange: expect.stringContaining('Speech') }]);
  expect(exitCodeOf(report)).toBe(2);
  expect(writeReport('summary', report)).toContain(words);
});

test.each<[string, number, (outgoing: ServerResponse) => void]>([
  [
    'a page of a gateway on every twelfth call',
    12,
    (outgoing: ServerResponse) =>
      void outgoing.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>'),
  ],
  ['a reset on every fifteenth call', 15, (outgoing: ServerResponse) => void outgoing.destroy()],
])('%s convicts nobody', async (_, turn, fail) => {
  let calls = 0;
  const report = await judgeServer(
    (_incoming, outgoing) => {
      calls += 1;
      if (calls % turn === 0) fail(outgoing);
      else list(outgoing);
    },
    { operations: ['listModels'], only: ['list-*'] },
  );
  expect(calls).toBeGreaterThan(turn);
  expect(
    report.findings.filter(
      ({ severity, message }) =>
        severity === 'error' && /answer|502|body/i.test(message) && !/is answered with 200/.test(message),
    ),
  ).toEqual([]);
  expect(report.circumstances).toMatchObject([{ calls: Math.floor(calls / turn) }]);
});

test('without credit nothing more is sent', async () => {
  let speeches = 0;
  const report = await judgeServer(
    ({ url }, outgoing) => {
      if (url === '/v1/tts') speeches += 1;
      return url === '/model' ? list(outgoing) : refuse(outgoing, 402);
    },
    { only: ['speech-mp3-*'] },
  );
  expect(speeches).toBe(1);
  expect(report.run.skipped[0]?.reason).toBe('the account has no credit');
  expect(exitCodeOf(report)).toBe(2);
});

test('an answer that does not come in time convicts nobody', async () => {
  const report = await judgeServer(({ url }, outgoing) => (url === '/model' ? list(outgoing) : undefined), {
    only: ['wallet-own'],
    transport: { idleMs: 300 },
  });
  expect(report.findings).toEqual([]);
  expect(report.circumstances).toMatchObject([{ reason: 'late' }]);
});

test('a call that was refused with 429 is sent again after Retry-After, and then judged', async () => {
  const waits: number[] = [];
  let calls = 0;
  const report = await judgeServer(
    ({ url }, outgoing) => {
      calls += 1;
      if (calls === 2) refuse(outgoing, 429, { 'retry-after': '1' });
      else if (url?.startsWith('/wallet/self/api-credit') === true) answerJson(outgoing, 200, credit());
      else list(outgoing);
    },
    { only: ['wallet-own'], onWait: (seconds) => waits.push(seconds) },
  );
  expect(waits).toEqual([1]);
  expect(report.run.waited).toEqual({ seconds: 1, calls: 1 });
  expect(report.circumstances).toEqual([]);
  expect(report.exchanges.filter(({ operationId }) => operationId === 'getApiCredit')).toMatchObject([
    { status: 200 },
  ]);
});
