import { expect, test, vi } from 'vitest';
import { sleep } from './timer.ts';

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
