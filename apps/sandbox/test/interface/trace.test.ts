import { expect, test } from 'vitest';
import { useCalls } from './calls.ts';

const log: string[] = [];
const { call, speak } = useCalls('silent', { logger: (line) => void log.push(line) });

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const traceOf = async (traceparent: string | undefined): Promise<string | null> => {
  const response = await speak({ text: 'a' }, { headers: { traceparent } });
  expect(response.status).toBe(200);
  await response.bytes();
  return response.headers.get('x-trace-id');
};

test('section 4.7: a valid traceparent is continued, in a header of the answer and in the log', async () => {
  expect(await traceOf(`00-${traceId}-${parentId}-01`)).toBe(traceId);
  await expect.poll(() => log.some((line) => line.endsWith(`trace=${traceId}`))).toBe(true);
});

test('section 4.7: without traceparent, and with an invalid one, a new trace starts', async () => {
  for (const traceparent of [undefined, 'nonsense', `00-${'0'.repeat(32)}-${parentId}-01`]) {
    const found = await traceOf(traceparent);
    expect(found).toMatch(/^[\da-f]{32}$/);
    expect(found).not.toBe(traceId);
  }
});

test('section 4.7: two calls of one workflow share the trace id', async () => {
  expect(await traceOf(`00-${traceId}-${parentId}-01`)).toBe(
    await traceOf(`00-${traceId}-00f067aa0ba902b7-00`),
  );
});

test('section 4.7: traceparent changes neither keys, limits, billing nor the output', async () => {
  const credit = async (): Promise<number> => {
    const response = await call('/wallet/self/api-credit');
    return Number(((await response.json()) as { readonly credit: string }).credit);
  };
  const seen = [];
  for (const traceparent of [
    undefined,
    `00-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-00`,
    'x'.repeat(4000),
  ]) {
    const before = await credit();
    const response = await speak({ text: 'The same.' }, { headers: { traceparent } });
    const audio = Buffer.from(await response.arrayBuffer()).toString('hex');
    const { headers } = response;
    const limits = ['ratelimit-limit-concurrency', 'ratelimit-current-concurrency'].map((name) =>
      headers.get(name),
    );
    const wrong = await speak({ text: 'a' }, { headers: { traceparent, authorization: 'Bearer nobody' } });
    seen.push({
      status: response.status,
      audio,
      limits,
      paid: (before - (await credit())).toFixed(9),
      wrong: wrong.status,
    });
  }
  expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(seen[0]).toMatchObject({ status: 200, wrong: 401 });
});

test('section 5: no key, no user id and no text is in the log or in a trace id', async () => {
  const before = log.length;
  const response = await speak({ text: 'A secret text.' });
  await response.bytes();
  await call('/wallet/sandbox-user/api-credit');
  await call('/model?title=secret');
  await expect.poll(() => log.length).toBeGreaterThanOrEqual(before + 3);
  expect(`${log.join('\n')} ${response.headers.get('x-trace-id')}`).not.toMatch(
    /sandbox-key|sandbox-user|secret/,
  );
});
