import { expect, test, vi } from 'vitest';
import { after } from './timer.ts';

test('a delay beyond the longest timer of a runtime is kept to', () => {
  vi.useFakeTimers();
  try {
    const act = vi.fn();
    const month = 35 * 86_400_000;
    after(month, act);
    vi.advanceTimersByTime(month - 1);
    expect(act).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(1);
    after(month, act)();
    after(Number.POSITIVE_INFINITY, act);
    vi.advanceTimersByTime(2 * month);
    expect(act).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
