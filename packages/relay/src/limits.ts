import { createHash } from 'node:crypto';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { charactersAtOnce, type RelayLimits } from './defaults.ts';
import { Refusal } from './refusal.ts';
import type { GiveBack, Rate, RelayState } from './state.ts';

const daySeconds = 24 * 60 * 60;

/** The same rate for a user and for an origin, and the name of what is limited, for the message. */
interface Pair {
  readonly user: Rate;
  readonly origin: Rate;
  readonly what: string;
}

/** Points that were added for a user and an origin. */
interface Grant {
  readonly points: number;
  readonly giveBack: GiveBack;
}

interface Keys {
  readonly user: string;
  readonly origin: string;
}

export class SessionLimits {
  readonly #limits: RelayLimits;
  readonly #state: RelayState;
  readonly #starts: Pair;
  readonly #characters: Pair;

  constructor(limits: RelayLimits, state: RelayState) {
    this.#limits = limits;
    this.#state = state;
    this.#starts = {
      user: state.createRate('user-starts', limits.startsPerUserAndMinute, 60),
      origin: state.createRate('origin-starts', limits.startsPerOriginAndMinute, 60),
      what: 'sessions within a minute',
    };
    this.#characters = {
      user: state.createRate('user-characters', limits.charactersPerUserAndDay, daySeconds),
      origin: state.createRate('origin-characters', limits.charactersPerOriginAndDay, daySeconds),
      what: 'characters of text within a day',
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
    const keys = { user: keyOf('user', user), origin: keyOf('origin', origin) };
    const givePlacesBack = await this.#state.takePlaces([
      { key: keys.user, limit: this.#limits.sessionsPerUser },
      { key: keys.origin, limit: this.#limits.sessionsPerOrigin },
    ]);
    if (!givePlacesBack) throw new Refusal(429, 'Too many sessions at once.', 1);
    try {
      await addToBoth(this.#starts, keys, 1);
    } catch (error) {
      givePlacesBack();
      throw error;
    }
    return new CountedSession(this.#characters, keys, sessionCharacters, givePlacesBack);
  }
}

export class CountedSession {
  readonly #rates: Pair;
  readonly #keys: Keys;
  readonly #maximum: number;
  #givePlacesBack: (() => void) | undefined;
  #total = 0;
  #granted = 0;
  readonly #grants: Grant[] = [];
  /** Characters that went to the service. */
  used = 0;

  constructor(rates: Pair, keys: Keys, maximum: number, givePlacesBack: () => void) {
    this.#rates = rates;
    this.#keys = keys;
    this.#maximum = maximum;
    this.#givePlacesBack = givePlacesBack;
  }

  /**
   * Counts characters of text, before they are sent. One call at a time.
   *
   * @returns nothing when they are within what was granted before; otherwise a promise of it, which rejects with
   * Refusal 429 above the limit of the day
   * @throws Refusal 413 above the limit of the session
   */
  addCharacters(count: number): Promise<void> | undefined {
    this.#total += count;
    if (this.#total > this.#maximum) {
      throw new Refusal(413, `The session has more than ${this.#maximum} characters of text.`);
    }
    const missing = this.#total - this.#granted;
    return missing > 0 ? this.#ask(missing) : undefined;
  }

  async #ask(missing: number): Promise<void> {
    // A block, so that not each word is asked for; where less than a block is left of the day, that may be enough.
    const block = Math.min(Math.max(missing, charactersAtOnce), this.#maximum - this.#granted);
    const grant = await addToBoth(this.#rates, this.#keys, block).catch((error: unknown) => {
      if (missing >= block) throw error;
      return addToBoth(this.#rates, this.#keys, missing);
    });
    this.#grants.push(grant);
    this.#granted += grant.points;
    // It ended meanwhile.
    if (this.#givePlacesBack === undefined) this.#giveBack();
  }

  /** Gives its places back, and the characters that were granted and not used. */
  end(): void {
    this.#givePlacesBack?.();
    this.#givePlacesBack = undefined;
    this.#giveBack();
  }

  /** What was granted last is what is left. */
  #giveBack(): void {
    let unused = this.#granted - this.used;
    this.#granted = this.used;
    for (const { points, giveBack } of this.#grants.splice(0).reverse()) {
      if (unused <= 0) return;
      void giveBack(Math.min(points, unused));
      unused -= points;
    }
  }
}

/** Adds points for the user and the origin, or for none. */
async function addToBoth(rates: Pair, keys: Keys, points: number): Promise<Grant> {
  const taken: GiveBack[] = [];
  const giveBack: GiveBack = (back) => Promise.all(taken.map((giveOneBack) => giveOneBack(back)));
  for (const who of ['user', 'origin'] as const) {
    try {
      taken.push(await rates[who].take(keys[who], points));
    } catch (error) {
      void giveBack(points);
      if (!(error instanceof RateLimiterRes)) throw error;
      const subject = who === 'user' ? 'The user has' : 'The pages of this origin have';
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new Refusal(429, `${subject} too many ${rates.what}.`, seconds);
    }
  }
  return { points, giveBack };
}

/** A key of bounded length that does not show whom it counts. */
function keyOf(kind: keyof Keys, name: string): string {
  return `${kind}:${createHash('sha256').update(name).digest('base64url').slice(0, 22)}`;
}
