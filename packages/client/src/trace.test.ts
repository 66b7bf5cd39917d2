import { expect, test } from 'vitest';
import { createTrace } from './trace.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

test('calls of one trace share its id and have different parent ids', () => {
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
  ['capital letters', `00-${traceId.toUpperCase()}-${parentId}-01`],
])('%s starts a new trace', (_name, incoming) => {
  const trace = createTrace(incoming);
  expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(trace.traceId).not.toBe(traceId);
});

// The cases of the W3C Trace Context test suite (github.com/w3c/trace-context, test/test.py), by their names there.
const w3cId = '12345678901234567890123456789012';
const w3cParent = '1234567890123456';

test.each([
  ['traceparent_included', `00-${w3cId}-${w3cParent}-01`],
  ['traceparent_version_0xcc', `cc-${w3cId}-${w3cParent}-01`],
  ['traceparent_version_0xcc with more', `cc-${w3cId}-${w3cParent}-01-what-the-future-will-be-like`],
  ['traceparent_ows_handling before', ` 00-${w3cId}-${w3cParent}-01`],
  ['traceparent_ows_handling tab before', `\t00-${w3cId}-${w3cParent}-01`],
  ['traceparent_ows_handling after', `00-${w3cId}-${w3cParent}-01 `],
  ['traceparent_ows_handling tab after', `00-${w3cId}-${w3cParent}-01\t`],
  ['traceparent_ows_handling around', `\t 00-${w3cId}-${w3cParent}-01 \t`],
])('W3C: %s is continued with another parent id', (_name, incoming) => {
  expect(createTrace(incoming).traceparent()).toMatch(
    new RegExp(`^00-${w3cId}-(?!${w3cParent})[0-9a-f]{16}-01$`),
  );
});

test.each([
  // Two header lines arrive as one value.
  ['traceparent_duplicated', `00-${w3cId}-${w3cParent}-01, 00-${w3cId}-${w3cParent}-01`],
  ['traceparent_version_0x00 with a dot', `00-${w3cId}-${w3cParent}-01.`],
  ['traceparent_version_0x00 with more', `00-${w3cId}-${w3cParent}-01-what-the-future-will-be-like`],
  ['traceparent_version_0xcc with a dot', `cc-${w3cId}-${w3cParent}-01.what-the-future-will-be-like`],
  ['traceparent_version_0xff', `ff-${w3cId}-${w3cParent}-01`],
  ['traceparent_version_illegal_characters first', `.0-${w3cId}-${w3cParent}-01`],
  ['traceparent_version_illegal_characters second', `0.-${w3cId}-${w3cParent}-01`],
  ['traceparent_version_too_long', `000-${w3cId}-${w3cParent}-01`],
  ['traceparent_version_too_long by two', `0000-${w3cId}-${w3cParent}-01`],
  ['traceparent_version_too_short', `0-${w3cId}-${w3cParent}-01`],
  ['traceparent_trace_id_all_zero', `00-${'0'.repeat(32)}-${w3cParent}-01`],
  ['traceparent_trace_id_illegal_characters first', `00-.${w3cId.slice(1)}-${w3cParent}-01`],
  ['traceparent_trace_id_illegal_characters last', `00-${w3cId.slice(1)}.-${w3cParent}-01`],
  ['traceparent_trace_id_too_long', `00-${w3cId}3-${w3cParent}-01`],
  ['traceparent_trace_id_too_short', `00-${w3cId.slice(1)}-${w3cParent}-01`],
  ['traceparent_parent_id_all_zero', `00-${w3cId}-${'0'.repeat(16)}-01`],
  ['traceparent_parent_id_illegal_characters first', `00-${w3cId}-.${w3cParent.slice(1)}-01`],
  ['traceparent_parent_id_illegal_characters last', `00-${w3cId}-${w3cParent.slice(1)}.-01`],
  ['traceparent_parent_id_too_long', `00-${w3cId}-${w3cParent}7-01`],
  ['traceparent_parent_id_too_short', `00-${w3cId}-${w3cParent.slice(1)}-01`],
  ['traceparent_trace_flags_illegal_characters first', `00-${w3cId}-${w3cParent}-.0`],
  ['traceparent_trace_flags_illegal_characters last', `00-${w3cId}-${w3cParent}-0.`],
  ['traceparent_trace_flags_too_long', `00-${w3cId}-${w3cParent}-001`],
  ['traceparent_trace_flags_too_short', `00-${w3cId}-${w3cParent}-1`],
])('W3C: %s starts a new trace', (_name, incoming) => {
  const { traceId } = createTrace(incoming);
  expect(traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
  expect(incoming).not.toContain(traceId);
  expect(traceId).not.toContain(w3cId.slice(1, -1));
});
