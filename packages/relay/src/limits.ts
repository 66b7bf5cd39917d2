import { maximumCounted, type RelayLimits } from './defaults.ts';
import { Refusal } from './refusal.ts';

interface Count {
  atOnce: number;
  /** When the sessions of the last minute began, oldest first. */
  starts: number[];
}

/** Counts sessions by user and by origin, in this process. */
export class SessionCounter {
  readonly #limits: RelayLimits;
  readonly #now: () => number;
  readonly #users = new Map<string, Count>();
  readonly #origins = new Map<string, Count>();

  /** @param now milliseconds */
  constructor(limits: RelayLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Counts a session.
   *
   * @returns what ends it
   * @throws Refusal 429 above a limit, with the seconds after which another try is worth it
   */
  begin(user: string, origin: string): () => void {
    const { sessionsPerUser, startsPerUserAndMinute, sessionsPerOrigin, startsPerOriginAndMinute } =
      this.#limits;
    const counts = [
      { map: this.#users, key: user, atOnce: sessionsPerUser, starts: startsPerUserAndMinute },
      { map: this.#origins, key: origin, atOnce: sessionsPerOrigin, starts: startsPerOriginAndMinute },
    ];
    const now = this.#now();
    for (const { map, key, atOnce, starts } of counts) {
      const count = this.#find(map, key, now);
      if (count.atOnce >= atOnce) throw new Refusal(429, `More than ${atOnce} sessions at once.`, 1);
      const oldest = count.starts[0];
      if (oldest !== undefined && count.starts.length >= starts) {
        const seconds = Math.max(1, Math.ceil((oldest + 60_000 - now) / 1000));
        throw new Refusal(429, `More than ${starts} sessions within a minute.`, seconds);
      }
    }
    const begun = counts.map(({ map, key }) => this.#find(map, key, now));
    for (const count of begun) {
      count.atOnce += 1;
      count.starts.push(now);
    }
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      for (const count of begun) count.atOnce -= 1;
    };
  }

  #find(map: Map<string, Count>, key: string, now: number): Count {
    let count = map.get(key);
    if (!count) {
      if (map.size >= maximumCounted) forget(map, now);
      if (map.size >= maximumCounted) throw new Refusal(503);
      count = { atOnce: 0, starts: [] };
      map.set(key, count);
    }
    count.starts = count.starts.filter((start) => start > now - 60_000);
    return count;
  }
}

/** Removes whoever has neither a session nor begun one within a minute. */
function forget(map: Map<string, Count>, now: number): void {
  for (const [key, { atOnce, starts }] of map) {
    if (atOnce === 0 && (starts.at(-1) ?? 0) <= now - 60_000) map.delete(key);
  }
}
