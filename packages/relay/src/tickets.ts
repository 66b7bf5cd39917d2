import { createHmac, randomUUID } from 'node:crypto';
import { audioFormats } from '@speech-api/types/constants';
import { errors, jwtVerify, SignJWT } from 'jose';
import { maximumUsedTickets, ticketSeconds } from './defaults.ts';
import type { Grant } from './grant.ts';
import { Refusal } from './refusal.ts';

/** Issues tickets in the application, and redeems them in the relay; both have the secret. */
export interface Tickets {
  /** A ticket for one session that begins within 30 seconds. It holds no user id, only a keyed mark of it. */
  issue(grant: Grant): Promise<string>;
  /** @throws Refusal 401 for a ticket that is not ours, has expired or was used; 503 when too many are remembered */
  redeem(ticket: string): Promise<Grant>;
}

const audience = 'speech-relay';

/**
 * Makes tickets.
 *
 * @param options.secret at least 32 bytes, the same in the application and the relay
 * @param options.now Unix time in milliseconds
 * @throws RangeError for a shorter secret
 */
export function createTickets(options: {
  readonly secret: string | Uint8Array;
  readonly now?: () => number;
}): Tickets {
  const { secret, now = Date.now } = options;
  const key = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
  if (key.length < 32) throw new RangeError(`the ticket secret has ${key.length} bytes; use at least 32`);
  const used = new UsedTickets();
  return {
    async issue({ user, model, voices, formats, characters, references }) {
      const seconds = Math.floor(now() / 1000);
      // A mark for the limits: without the secret nobody can tell whose it is.
      const mark = createHmac('sha256', key).update(`user ${user}`).digest('base64url').slice(0, 22);
      return new SignJWT({ mark, model, voices, formats, characters, references })
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(audience)
        .setJti(randomUUID())
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + ticketSeconds)
        .sign(key);
    },
    async redeem(ticket) {
      try {
        const { payload } = await jwtVerify(ticket, key, {
          algorithms: ['HS256'],
          audience,
          currentDate: new Date(now()),
          maxTokenAge: ticketSeconds,
          requiredClaims: ['exp', 'iat', 'jti', 'mark'],
        });
        used.use(String(payload.jti), (payload.exp ?? 0) * 1000, now());
        return grantOf(payload);
      } catch (error) {
        if (error instanceof errors.JOSEError) throw new Refusal(401, 'The ticket is not valid.');
        throw error;
      }
    },
  };
}

/** The tickets that were used and are not expired. */
class UsedTickets {
  readonly #expires = new Map<string, number>();

  use(id: string, expires: number, now: number): void {
    // In the order in which they were used, so nearly in that of their expiry: a few steps each time are enough.
    for (const [old, time] of this.#expires) {
      if (time > now) break;
      this.#expires.delete(old);
    }
    if (this.#expires.has(id)) throw new Refusal(401, 'The ticket was used before.');
    if (this.#expires.size >= maximumUsedTickets) throw new Refusal(503);
    this.#expires.set(id, expires);
  }
}

/** The claims are ours, since the signature is; they are read with care all the same. */
function grantOf(claims: Readonly<Record<string, unknown>>): Grant {
  const { mark, model, voices, formats, characters, references } = claims;
  return {
    user: String(mark),
    model: typeof model === 'string' ? model : undefined,
    voices: Array.isArray(voices) ? voices.map(String) : undefined,
    formats: Array.isArray(formats) ? audioFormats.filter((format) => formats.includes(format)) : undefined,
    characters: typeof characters === 'number' ? characters : undefined,
    references: references === true,
  };
}
