import { createHmac, randomUUID } from 'node:crypto';
import { audioFormats } from '@speech-api/types/constants';
import { errors, jwtVerify, SignJWT } from 'jose';
import { ticketSeconds } from './defaults.ts';
import type { Grant } from './grant.ts';
import { Refusal } from './refusal.ts';
import { ProcessState, type RelayState } from './state.ts';

/** Issues tickets in the application, and redeems them in the relay; both have the secret. */
export interface Tickets {
  /** A ticket for one session that begins within 30 seconds. It holds no user id, only a keyed mark of it. */
  issue(grant: Grant): Promise<string>;
  /** @throws Refusal 401 for a ticket that is not ours, has expired or was used; 503 when that cannot be told now */
  redeem(ticket: string): Promise<Grant>;
}

const audience = 'speech-relay';

/**
 * Makes tickets.
 *
 * @param options.secret at least 32 bytes, the same in the application and the relay
 * @param options.state where used tickets are remembered: that of the relay; by default this process
 * @param options.now Unix time in milliseconds
 * @throws RangeError for a shorter secret
 */
export function createTickets(options: {
  readonly secret: string | Uint8Array;
  readonly state?: RelayState | undefined;
  readonly now?: (() => number) | undefined;
}): Tickets {
  const { secret, state = new ProcessState(), now = Date.now } = options;
  const key = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
  if (key.length < 32) throw new RangeError(`the ticket secret has ${key.length} bytes; use at least 32`);
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
        await state.useTicket(String(payload.jti), {
          issued: (payload.iat ?? 0) * 1000,
          expires: (payload.exp ?? 0) * 1000,
          now: now(),
        });
        return grantOf(payload);
      } catch (error) {
        if (error instanceof errors.JOSEError) throw new Refusal(401, 'The ticket is not valid.');
        throw error;
      }
    },
  };
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
