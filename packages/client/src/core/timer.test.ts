import { expect, test, vi } from 'vitest';
import { after, sleep } from './timer.ts';

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

test('a wait that is aborted ends at once and leaves no timer behind', async () => {
  vi.useFakeTimers();
  try {
    const controller = new AbortController();
    const waiting = sleep(60_000, controller.signal);
    controller.abort('enough');
    expect(vi.getTimerCount()).toBe(0);
    await expect(waiting).rejects.toBe('enough');
  } finally {
    vi.useRealTimers();
  }
});
