import { expect, test } from 'vitest';
import { readReports } from './api-reports.ts';

const reports = readReports();

test('every package that others compile against has a report', () => {
  expect(reports.length).toBeGreaterThan(11);
});

test.each(reports)(
  '$path is what the package declares; if not, run `npm run api` and read the difference as a caller would',
  ({ committed, built }) => {
    expect(built).toBe(committed);
  },
);
