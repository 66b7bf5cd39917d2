import { expect, test } from 'vitest';
import { createTrace } from './trace.ts';

test('calls of one trace share its id and have different parent ids', () => {
  const trace = createTrace();
  const values = Array.from({ length: 50 }, () => trace.traceparent());
  expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
  for (const value of values) expect(value).toMatch(new RegExp(`^00-${trace.traceId}-[0-9a-f]{16}-00$`));
  expect(new Set(values).size).toBe(50);
  expect(createTrace().traceId).not.toBe(trace.traceId);
});

// The cases of the W3C Trace Context test suite (github.com/w3c/trace-context, test/test.py).
const w3cId = '12345678901234567890123456789012';
const w3cParent = '1234567890123456';

const continued = [
  `00-${w3cId}-${w3cParent}-01`,
  `cc-${w3cId}-${w3cParent}-01`,
  `cc-${w3cId}-${w3cParent}-01-what-the-future-will-be-like`,
  ` 00-${w3cId}-${w3cParent}-01`,
  `\t00-${w3cId}-${w3cParent}-01`,
  `\t 00-${w3cId}-${w3cParent}-01 \t`,
];
test.each(continued)('W3C: %j is continued with another parent id', (incoming) => {
  expect(createTrace(incoming).traceparent()).toMatch(
    new RegExp(`^00-${w3cId}-(?!${w3cParent})[0-9a-f]{16}-01$`),
  );
});

const cutId = w3cId.slice(1);
const cutParent = w3cParent.slice(1);
const refused = [
  null,
  `00-${w3cId}-${w3cParent.replace(/^1/, 'A')}-01`,
  // Two header lines arrive as one value.
  `00-${w3cId}-${w3cParent}-01, 00-${w3cId}-${w3cParent}-01`,
  ...['01.', '01-what-the-future-will-be-like', '.0', '0.', '001', '1'].map(
    (flags) => `00-${w3cId}-${w3cParent}-${flags}`,
  ),
  ...['ff', '.0', '0.', '000', '0000', '0'].map((version) => `${version}-${w3cId}-${w3cParent}-01`),
  ...['0'.repeat(32), `.${cutId}`, `${cutId}.`, `${w3cId}3`, cutId].map((id) => `00-${id}-${w3cParent}-01`),
  ...['0'.repeat(16), `.${cutParent}`, `${cutParent}.`, `${w3cParent}7`, cutParent].map(
    (parent) => `00-${w3cId}-${parent}-01`,
  ),
  `cc-${w3cId}-${w3cParent}-01.what-the-future-will-be-like`,
];
test.each(refused)('W3C: %j starts a new trace', (incoming) => {
  const { traceId } = createTrace(incoming);
  expect(traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
  expect(traceId).not.toContain(w3cId.slice(1, -1));
});
