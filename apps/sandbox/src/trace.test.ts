import { expect, it } from 'vitest';
import { speak, speechHeaders, start } from './testing/sandboxes.ts';
import { newTraceId, readTraceId } from './trace.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const valid = `00-${traceId}-00f067aa0ba902b7-01`;

it.each([
  valid,
  `00-${traceId}-00f067aa0ba902b7-00`,
  `cc-${traceId}-00f067aa0ba902b7-01`,
  `cc-${traceId}-00f067aa0ba902b7-01-later`,
])('continues %s', (header) => {
  expect(readTraceId(header)).toBe(traceId);
});

it.each([
  undefined,
  '',
  'nonsense',
  valid.toUpperCase(),
  `ff-${traceId}-00f067aa0ba902b7-01`,
  `00-${traceId}-00f067aa0ba902b7-01-more`,
  `cc-${traceId}-00f067aa0ba902b7-01.more`,
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-00f067aa0ba902b7`,
  `${valid},${valid}`,
])('does not continue %s', (header) => {
  expect(readTraceId(header)).toBeUndefined();
});

it('makes trace ids of 32 hex digits', () => {
  expect(newTraceId()).toMatch(/^[\da-f]{32}$/);
  expect(newTraceId()).not.toBe(newTraceId());
});

it('returns the trace id in a header and in the log, continued where the interface says so', async () => {
  const log: string[] = [];
  const sandbox = await start({ logger: (line) => void log.push(line) });
  const headers = { ...speechHeaders, traceparent: valid };
  const spoken = await speak(sandbox, { text: 'a secret text' }, headers);
  await spoken.bytes();
  expect(spoken.headers.get('x-trace-id')).toBe(traceId);
  const listed = await fetch(`${sandbox.url}/model?title=secret`, { headers });
  expect(listed.headers.get('x-trace-id')).toMatch(/^[\da-f]{32}$/);
  expect(listed.headers.get('x-trace-id')).not.toBe(traceId);
  await sandbox.close();
  expect(log[0]).toMatch(new RegExp(`^POST /v1/tts 200 \\d+ms trace=${traceId}$`));
  expect(log.join('\n')).not.toMatch(/secret|sandbox-key/);
});

it('changes nothing for an invalid header', async () => {
  const response = await speak(await start(), { text: 'a' }, { ...speechHeaders, traceparent: 'nonsense' });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-trace-id')).toMatch(/^[\da-f]{32}$/);
});
