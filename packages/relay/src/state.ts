import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { maximumUsedTickets } from './defaults.ts';
import { Refusal } from './refusal.ts';

/** What is counted for one user or one origin. */
export interface Counted {
  /** Unique among users and origins. */
  readonly key: string;
  readonly limit: number;
}

/** Counts points of a key within a window, which begins with the first point. */
export interface Rate {
  /**
   * Adds points, or none when that would be more than the limit.
   *
   * @throws LimitReached above the limit
   * @throws Refusal 503 when what was counted cannot be reached
   */
  add(key: string, points: number): Promise<void>;
  /** Takes points back. Never rejects. */
  giveBack(key: string, points: number): Promise<void>;
}

/** A limit was reached. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('the limit is reached');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Where sessions, rates and used tickets are counted: in this process, or in Redis for several relays.
 * Make one with `connectRedis` and give it to `createRelay` and `createTickets`.
 */
export interface RelayState {
  /** False while nobody is let in because what is counted cannot be reached. */
  readonly ready: boolean;
  /**
   * Takes a place under every key, or under none.
   *
   * @returns what gives the places back
   * @throws LimitReached when a key has as many as its limit
   * @throws Refusal 503 when what was counted cannot be reached
   */
  takePlaces(places: readonly Counted[]): Promise<() => void>;
  /**
   * A rate of its own for each name.
   *
   * @param isOfOpenSessions whether it goes on with a local share while what was counted cannot be reached
   */
  createRate(name: string, limit: number, seconds: number, isOfOpenSessions?: boolean): Rate;
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

/** Counts in this process alone. */
export class ProcessState implements RelayState {
  readonly ready = true;
  readonly #places = new Map<string, number>();
  readonly #usedTickets = new Map<string, number>();

  async takePlaces(places: readonly Counted[]): Promise<() => void> {
    return this.takePlacesNow(places);
  }

  takePlacesNow(places: readonly Counted[]): () => void {
    for (const { key, limit } of places) {
      if ((this.#places.get(key) ?? 0) >= limit) throw new LimitReached(1);
    }
    for (const { key } of places) this.#places.set(key, (this.#places.get(key) ?? 0) + 1);
    return once(() => {
      for (const { key } of places) {
        const left = (this.#places.get(key) ?? 0) - 1;
        if (left > 0) this.#places.set(key, left);
        else this.#places.delete(key);
      }
    });
  }

  createRate(_name: string, limit: number, seconds: number): Rate {
    return rateOf(new RateLimiterMemory({ points: limit, duration: seconds }));
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

/** Why a ticket is refused that was redeemed already. */
export const usedBefore = 'The ticket was used before.';

/** What a rate needs of a limiter of rate-limiter-flexible, whatever it counts in. */
interface Limiter {
  consume(key: string, points: number): Promise<unknown>;
  reward(key: string, points: number): Promise<unknown>;
}

/** A rate over a limiter. The limiter adds points above its limit too; they are taken back. */
export function rateOf(limiter: Limiter): Rate {
  const giveBack = async (key: string, points: number): Promise<void> => {
    // The limiter forgets the points at the end of its window at the latest.
    await limiter.reward(key, points).catch(() => {});
  };
  return {
    async add(key, points) {
      try {
        await limiter.consume(key, points);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        await giveBack(key, points);
        throw new LimitReached(Math.max(1, Math.ceil(error.msBeforeNext / 1000)));
      }
    },
    giveBack,
  };
}

/** Calls a function the first time only. */
export function once<Values extends readonly unknown[]>(
  work: (...values: Values) => void,
): (...values: Values) => void {
  let done = false;
  return (...values) => {
    if (done) return;
    done = true;
    work(...values);
  };
}
