import { afterEach, expect, test, vi } from 'vitest';
import { defaultLimits } from './defaults.ts';
import { SessionLimits } from './limits.ts';
import { ProcessState } from './state.ts';

afterEach(() => vi.useRealTimers());

const daySeconds = 24 * 60 * 60;

test('characters of a day that has ended are not given back to the next one', async () => {
  vi.useFakeTimers();
  const limits = new SessionLimits(
    { ...defaultLimits, sessionsPerUser: 10, charactersPerUserAndDay: 1000 },
    new ProcessState(),
  );
  const begin = () => limits.begin('anna', 'https://app.example', 10_000);
  const yesterday = await begin();
  await yesterday.addCharacters(400);
  vi.advanceTimersByTime(daySeconds * 1000);
  const today = await begin();
  await today.addCharacters(1000);
  today.used = 1000;
  yesterday.end();
  await vi.advanceTimersByTimeAsync(0);
  const next = await begin();
  await expect(next.addCharacters(1)).rejects.toMatchObject({ status: 429 });
});
