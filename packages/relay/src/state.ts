import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { maximumUsedTickets } from './defaults.ts';
import { Refusal } from './refusal.ts';

export interface Counted {
  /** Unique among users and origins. */
  readonly key: string;
  readonly limit: number;
}

/** Counts points of a key within a window, which begins with the first point. */
export interface Rate {
  /** Adds points; rejects with a `RateLimiterRes`, and adds none, above the limit. */
  take(key: string, points: number): Promise<GiveBack>;
}

/** Gives some of the points back, unless their window has ended: the next one has not counted them. Never rejects. */
export type GiveBack = (points: number) => Promise<unknown>;

/**
 * Store of the counts of sessions and rates and of used tickets: in this process, or in Redis for several
 * relays. Make one with `connectRedis` and give it to `createRelay` and `createTickets`.
 */
export interface RelayState {
  /** False while nobody is let in because what is counted cannot be reached. */
  readonly ready: boolean;
  /**
   * Takes a place under every key, or under none.
   *
   * @returns what gives the places back; nothing when a key has as many as its limit
   * @throws Refusal 503 when what was counted cannot be reached
   */
  takePlaces(places: readonly Counted[]): Promise<(() => void) | undefined>;
  /** A rate of its own for each name. While what was counted cannot be reached, it continues with a local share. */
  createRate(name: string, limit: number, seconds: number): Rate;
  /**
   * Marks a ticket as used.
   *
   * @throws Refusal 401 when it was used before; 503 when that cannot be told
   */
  useTicket(id: string, times: TicketTimes): Promise<void>;
  /** Gives all places back and disconnects. */
  close(): Promise<void>;
}

/** Unix times of a ticket, in milliseconds. */
export interface TicketTimes {
  readonly issued: number;
  readonly expires: number;
  readonly now: number;
}

export class ProcessState implements RelayState {
  readonly ready = true;
  readonly #places = new Map<string, number>();
  readonly #usedTickets = new Map<string, number>();

  async takePlaces(places: readonly Counted[]): Promise<(() => void) | undefined> {
    return this.takePlacesNow(places);
  }

  takePlacesNow(places: readonly Counted[]): (() => void) | undefined {
    if (places.some(({ key, limit }) => (this.#places.get(key) ?? 0) >= limit)) return undefined;
    for (const { key } of places) this.#places.set(key, (this.#places.get(key) ?? 0) + 1);
    return () => {
      for (const { key } of places) {
        const left = (this.#places.get(key) ?? 0) - 1;
        if (left > 0) this.#places.set(key, left);
        else this.#places.delete(key);
      }
    };
  }

  createRate(_name: string, limit: number, seconds: number): Rate {
    const limiter = new RateLimiterMemory({ points: limit, duration: seconds });
    return {
      async take(key, points) {
        const began = Date.now();
        const giveBackWithin = (milliseconds: number): GiveBack => {
          const end = began + milliseconds;
          return async (back) => Date.now() < end && limiter.reward(key, back);
        };
        return await takeFrom(limiter, key, points, giveBackWithin);
      },
    };
  }

  async useTicket(id: string, { expires, now }: TicketTimes): Promise<void> {
    // In the order in which they were used, so nearly in that of their expiry: a few steps each time are enough.
    for (const [old, time] of this.#usedTickets) {
      if (time > now) break;
      this.#usedTickets.delete(old);
    }
    if (this.#usedTickets.has(id)) throw new Refusal(401, usedBefore);
    if (this.#usedTickets.size >= maximumUsedTickets) throw new Refusal(503);
    this.#usedTickets.set(id, expires);
  }

  async close(): Promise<void> {}
}

/**
 * Takes points from a limiter, which adds them above its limit too.
 *
 * @param giveBackWithin what gives points back within the milliseconds that are left of the window
 */
export async function takeFrom(
  limiter: RateLimiterAbstract,
  key: string,
  points: number,
  giveBackWithin: (milliseconds: number) => GiveBack,
): Promise<GiveBack> {
  try {
    const { msBeforeNext } = await limiter.consume(key, points);
    return giveBackWithin(msBeforeNext);
  } catch (error) {
    if (error instanceof RateLimiterRes) await giveBackWithin(error.msBeforeNext)(points);
    throw error;
  }
}

export const usedBefore = 'The ticket was used before.';
