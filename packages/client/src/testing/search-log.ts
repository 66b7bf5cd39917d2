import { format } from 'node:util';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { captured, captureLine } from './log-capture.ts';
import { testKey } from './samples.ts';

/**
 * Runs around every test file: whatever its clients logged at the most verbose level, and whatever was written to the
 * console, holds neither the key nor a text that was spoken.
 */
const levels = ['log', 'debug', 'info', 'warn', 'error', 'trace'] as const;

beforeAll(() => {
  for (const level of levels) {
    vi.spyOn(console, level).mockImplementation((...values: unknown[]) => captureLine(format(...values)));
  }
});

afterAll(() => {
  const { lines, secrets } = captured();
  for (const secret of [testKey, ...secrets]) {
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  }
});
