import { expect, test } from 'vitest';
import { describeTally, readResults } from './tally.ts';

const report = (...files: object[]) => JSON.stringify({ testResults: files });
const passed = { status: 'passed', fullName: 'holds', failureMessages: [] };

test('adds up the reports of many runners', () => {
  const results = readResults([
    report({ name: 'a.test.ts', status: 'passed', assertionResults: [passed, passed] }),
    report({ name: 'b.test.ts', status: 'passed', assertionResults: [passed] }),
  ]);
  expect(results).toEqual({ tally: { passed: 3, failed: 0, skipped: 0 }, failures: [] });
});

test('names what failed with the first line of its reason', () => {
  const failed = {
    status: 'failed',
    fullName: 'says so',
    failureMessages: ['Error: it did not\n    at a.ts:1'],
  };
  const results = readResults([
    report({ name: 'a.test.ts', status: 'failed', message: '', assertionResults: [passed, failed] }),
  ]);
  expect(results.tally).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(results.failures).toEqual(['a.test.ts > says so: Error: it did not']);
});

test('counts a file that failed before its tests ran', () => {
  const file = { name: 'a.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] };
  expect(readResults([report(file)])).toEqual({
    tally: { passed: 0, failed: 1, skipped: 0 },
    failures: ['a.test.ts > the file itself: Cannot find module'],
  });
});

test('counts skipped tests and todos as skipped, and mentions them only where there are some', () => {
  const statuses = ['pending', 'skipped', 'todo'].map((status) => ({ ...passed, status }));
  const { tally } = readResults([report({ name: 'a', status: 'passed', assertionResults: statuses })]);
  expect(describeTally(tally)).toBe('0 passed, 0 failed, 3 skipped');
  expect(describeTally({ passed: 2, failed: 0, skipped: 0 })).toBe('2 passed, 0 failed');
});
