import { expect, test, vi } from 'vitest';
import { followSignal, sleep, startDeadline } from './timer.ts';

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

test('a deadline that is noticed seconds too late has one grace, and one in time has none', () => {
  vi.useFakeTimers();
  try {
    const [inTime, late, cancelled] = [vi.fn(), vi.fn(), vi.fn()];
    startDeadline(100, inTime);
    vi.advanceTimersByTime(110);
    expect(inTime).toHaveBeenCalledTimes(1);
    startDeadline(100, late);
    const cancel = startDeadline(100, cancelled);
    // The clock goes on while the process is asleep, and its timers do not.
    vi.setSystemTime(Date.now() + 5000);
    vi.advanceTimersByTime(1900);
    expect(late).not.toHaveBeenCalled();
    cancel();
    vi.advanceTimersByTime(300);
    expect([late, cancelled].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
