import { expect, test } from 'vitest';
import { withLimits } from './limits.ts';

const rule = { id: 'a-rule', limits: { seconds: 0.25 }, text: 'The end is within {seconds} seconds.' };

test('a text shows the number of its limit, and another number when that changes', () => {
  expect(withLimits({ answers: [rule] })).toMatchObject({
    answers: [{ text: 'The end is within 0.25 seconds.' }],
  });
  const changed = { ...rule, limits: { seconds: 3 } };
  expect(withLimits({ answers: [changed] })).toMatchObject({
    answers: [{ text: 'The end is within 3 seconds.' }],
  });
});

test('a text that names an unknown limit, or leaves one out, is refused', () => {
  expect(() => withLimits({ answers: [{ ...rule, text: 'Within {minutes} minutes.' }] })).toThrow(
    /a-rule names minutes/,
  );
  expect(() => withLimits({ answers: [{ ...rule, text: 'Within a while.' }] })).toThrow(
    /does not show its limits seconds/,
  );
});
