import { readTraceId } from '@speech-api/server';
import { expect, test } from 'vitest';
import { speak, speechHeaders, start } from '../testing/sandboxes.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const valid = `00-${traceId}-00f067aa0ba902b7-01`;

const parentId = '00f067aa0ba902b7';

test.each([
  ['not sampled', `00-${traceId}-${parentId}-00`],
  ['a later version', `cc-${traceId}-${parentId}-01`],
  ['a later version with more behind', `cc-${traceId}-${parentId}-01-what-the-future-will-be-like`],
])('continues %s', (_, header) => {
  expect(readTraceId(header)).toBe(traceId);
});

test.each([
  ['no traceparent at all', 'nonsense'],
  ['capital letters', valid.toUpperCase()],
  ['the version ff', `ff-${traceId}-${parentId}-01`],
  ['version 00 with more behind', `00-${traceId}-${parentId}-01-more`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${parentId}-01`],
  ['a trace id that is too short', `00-${traceId.slice(1)}-${parentId}-01`],
  ['a parent id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['two in one', `${valid},${valid}`],
])('does not continue %s', (_, header) => {
  expect(readTraceId(header)).toBeUndefined();
});

test('returns the trace id in a header and in the log, continued where the interface says so', async () => {
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
