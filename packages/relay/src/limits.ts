import { createHash } from 'node:crypto';
import { charactersAtOnce, type RelayLimits } from './defaults.ts';
import { Refusal } from './refusal.ts';
import { type Counted, LimitReached, once, type Rate, type RelayState } from './state.ts';

/** A session that is counted. */
export interface CountedSession {
  /**
   * Counts characters of text.
   *
   * @returns nothing when they are within what was granted before; otherwise a promise of it, which rejects with
   * Refusal 413 above the limit of the session and 429 above that of the day
   */
  addCharacters(count: number): Promise<void> | undefined;
  /**
   * Gives its places back, and the characters that were granted and not used.
   *
   * @param used how many were used. @defaultValue all that were counted
   */
  end(used?: number): void;
}

interface CountedRate {
  readonly rate: Rate;
  readonly key: string;
  /** What is above the limit, for the message. */
  readonly what: string;
}

/** The limits of users and origins. */
export class SessionLimits {
  readonly #limits: RelayLimits;
  readonly #state: RelayState;
  readonly #starts: { readonly user: Rate; readonly origin: Rate };
  readonly #characters: { readonly user: Rate; readonly origin: Rate };

  constructor(limits: RelayLimits, state: RelayState) {
    this.#limits = limits;
    this.#state = state;
    this.#starts = {
      user: state.createRate('user-starts', limits.startsPerUserAndMinute, 60),
      origin: state.createRate('origin-starts', limits.startsPerOriginAndMinute, 60),
    };
    const day = 24 * 60 * 60;
    this.#characters = {
      user: state.createRate('user-characters', limits.charactersPerUserAndDay, day, true),
      origin: state.createRate('origin-characters', limits.charactersPerOriginAndDay, day, true),
    };
  }

  /**
   * Counts a session.
   *
   * @param sessionCharacters the maximum number of characters of the session
   * @throws Refusal 429 above a limit, with the seconds after which another try is worth it; 503 when what was counted
   * cannot be reached
   */
  async begin(user: string, origin: string, sessionCharacters: number): Promise<CountedSession> {
    const limits = this.#limits;
    const keys = { user: keyOf('user', user), origin: keyOf('origin', origin) };
    const givePlacesBack = await this.#takePlaces([
      { key: keys.user, limit: limits.sessionsPerUser },
      { key: keys.origin, limit: limits.sessionsPerOrigin },
    ]);
    try {
      await addToAll(this.#ratesOf(keys, this.#starts, 'sessions within a minute'), 1);
    } catch (error) {
      givePlacesBack();
      throw error;
    }
    const perDay = this.#ratesOf(keys, this.#characters, 'characters of text within a day');
    let total = 0;
    let granted = 0;
    let asked: Promise<unknown> = Promise.resolve();
    const ask = async (needed: number): Promise<void> => {
      // A block, so that not each word is asked for.
      const block = Math.min(Math.max(needed - granted, charactersAtOnce), sessionCharacters - granted);
      granted += block;
      try {
        await addToAll(perDay, block);
      } catch (error) {
        granted -= block;
        const missing = needed - granted;
        if (missing >= block) throw error;
        // What is left of the day is less than a block, and may still be enough.
        await addToAll(perDay, missing);
        granted += missing;
      }
    };
    return {
      addCharacters(count) {
        total += count;
        if (total > sessionCharacters) {
          return Promise.reject(
            new Refusal(413, `The session has more than ${sessionCharacters} characters of text.`),
          );
        }
        const needed = total;
        if (needed <= granted) return undefined;
        const answer = asked.then(() => (needed > granted ? ask(needed) : undefined));
        asked = answer.catch(() => {});
        return answer;
      },
      end: once((used = total) => {
        givePlacesBack();
        void asked.then(() => {
          const unused = granted - used;
          if (unused > 0) for (const { rate, key } of perDay) void rate.giveBack(key, unused);
        });
      }),
    };
  }

  #ratesOf(
    keys: Readonly<Record<'user' | 'origin', string>>,
    rates: Readonly<Record<'user' | 'origin', Rate>>,
    what: string,
  ): CountedRate[] {
    return [
      { rate: rates.user, key: keys.user, what: `The user has too many ${what}.` },
      { rate: rates.origin, key: keys.origin, what: `The pages of this origin have too many ${what}.` },
    ];
  }

  async #takePlaces(places: readonly Counted[]): Promise<() => void> {
    try {
      return await this.#state.takePlaces(places);
    } catch (error) {
      if (error instanceof LimitReached) throw new Refusal(429, 'Too many sessions at once.', 1);
      throw error;
    }
  }
}

/** Adds points to every rate, or to none. */
async function addToAll(rates: readonly CountedRate[], points: number): Promise<void> {
  const added: CountedRate[] = [];
  for (const counted of rates) {
    try {
      await counted.rate.add(counted.key, points);
    } catch (error) {
      for (const { rate, key } of added) void rate.giveBack(key, points);
      throw error instanceof LimitReached ? new Refusal(429, counted.what, error.retryAfterSeconds) : error;
    }
    added.push(counted);
  }
}

/** A key of bounded length that does not show whom it counts. */
function keyOf(kind: 'user' | 'origin', name: string): string {
  return `${kind}:${createHash('sha256').update(name).digest('base64url').slice(0, 22)}`;
}
