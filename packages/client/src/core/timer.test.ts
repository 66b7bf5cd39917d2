import { expect, test, vi } from 'vitest';
import { followSignal, sleep } from './timer.ts';

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

test('an abort is heard by all that follow a signal, also behind a listener of others, and by none that stopped', () => {
  const controller = new AbortController();
  // Node tells the signal of an event to its first listener only.
  controller.signal.addEventListener('abort', () => undefined);
  const acts = [vi.fn(), vi.fn(), vi.fn()];
  const [stop] = acts.map((act) => followSignal(controller.signal, act));
  stop?.();
  controller.abort();
  expect(acts.map(({ mock }) => mock.calls.length)).toEqual([0, 1, 1]);
});
