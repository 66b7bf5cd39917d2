import { expect, it } from 'vitest';
import { describeTally, failuresIn, tallyOf } from './tally.ts';

it('adds up the closing lines of many tasks, behind a task prefix and in colour', () => {
  const output = [
    '@speech-api/types:test:  Test Files  2 passed (2)',
    '@speech-api/types:test:       Tests  12 passed (12)',
    '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[31m1 failed\u001b[39m\u001b[22m\u001b[2m | \u001b[22m\u001b[32m3 passed\u001b[39m (4)',
    '      Tests  5 passed | 2 skipped | 1 todo (8)',
  ].join('\n');
  expect(tallyOf(output)).toEqual({ passed: 20, failed: 1, skipped: 3 });
});

it('does not count test files or a sentence about tests', () => {
  expect(tallyOf(' Test Files  9 passed (9)\nTests 3 passed once upon a time')).toEqual({
    passed: 0,
    failed: 0,
    skipped: 0,
  });
});

it('names skipped tests only where there are some', () => {
  expect(describeTally({ passed: 2, failed: 0, skipped: 0 })).toBe('2 passed, 0 failed');
  expect(describeTally({ passed: 2, failed: 1, skipped: 4 })).toBe('2 passed, 1 failed, 4 skipped');
});

it('names each failure once, without colours', () => {
  const fail = '\u001b[41m FAIL \u001b[49m src/a.test.ts > says so';
  expect(
    failuresIn(`ok\n${fail}\nAssertionError: no\n${fail}\n Failed:    @speech-api/a#test\nFAILURES none`),
  ).toEqual([' FAIL  src/a.test.ts > says so', 'AssertionError: no', ' Failed:    @speech-api/a#test']);
});
