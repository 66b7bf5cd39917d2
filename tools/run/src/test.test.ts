import { expect, test } from 'vitest';
import { readResults } from './test.ts';

test('the reports of all runners are added up, and what failed is named with the first line of its reason', () => {
  const passed = { status: 'passed', fullName: 'holds', failureMessages: [] };
  const failed = {
    status: 'failed',
    fullName: 'says so',
    failureMessages: ['Error: it did not\n    at a.ts:1'],
  };
  const report = (...testResults: object[]) => JSON.stringify({ testResults });
  const results = readResults([
    report({ name: 'a.test.ts', status: 'failed', message: '', assertionResults: [passed, failed] }),
    report(
      { name: 'b.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
      { name: 'c.test.ts', status: 'passed', assertionResults: [passed, { ...passed, status: 'todo' }] },
    ),
  ]);
  expect(results.tally).toEqual({ passed: 2, failed: 2, skipped: 1 });
  expect(results.failures).toEqual([
    'a.test.ts > says so: Error: it did not',
    'b.test.ts > the file itself: Cannot find module',
  ]);
});
