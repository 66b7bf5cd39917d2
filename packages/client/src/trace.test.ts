import { expect, test } from 'vitest';
import { createTrace } from './trace.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

test('calls of one trace share its id and have parent ids of their own', () => {
  const trace = createTrace();
  const values = Array.from({ length: 50 }, () => trace.traceparent());
  expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
  for (const value of values) expect(value).toMatch(new RegExp(`^00-${trace.traceId}-[0-9a-f]{16}-00$`));
  expect(new Set(values).size).toBe(50);
  expect(createTrace().traceId).not.toBe(trace.traceId);
});

test('an incoming header is continued, with its sampling', () => {
  const trace = createTrace(`00-${traceId}-${parentId}-01`);
  expect(trace.traceId).toBe(traceId);
  expect(trace.traceparent()).toMatch(new RegExp(`^00-${traceId}-(?!${parentId})[0-9a-f]{16}-01$`));
  expect(createTrace(`cc-${traceId}-${parentId}-00-what-the-future-holds`).traceId).toBe(traceId);
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['words', 'no trace'],
  ['the forbidden version', `ff-${traceId}-${parentId}-01`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${parentId}-01`],
  ['a parent id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['capital letters', `00-${traceId.toUpperCase()}-${parentId}-01`],
  ['more fields than version 00 has', `00-${traceId}-${parentId}-01-more`],
  ['a short trace id', `00-${traceId.slice(1)}-${parentId}-01`],
])('%s starts a new trace', (_name, incoming) => {
  const trace = createTrace(incoming);
  expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(trace.traceId).not.toBe(traceId);
});
