import { createHmac, randomUUID } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { clockToleranceSeconds, maximumTicketBytes, ticketSeconds } from './defaults.ts';
import type { Grant } from './options.ts';
import { Refusal } from './refusal.ts';
import { grantSchema, parse } from './schema.ts';
import { ProcessState, type RelayState } from './state.ts';

/** Issues tickets in the application, and redeems them in the relay; both have the secret. */
export interface Tickets {
  /**
   * A ticket for one session that begins within 30 seconds. It holds no user id, only a keyed mark of it.
   *
   * @throws TypeError that names what is wrong with the grant
   */
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
 * @throws TypeError without a secret, RangeError for a shorter one
 */
export function createTickets(options: {
  readonly secret: string | Uint8Array;
  readonly state?: RelayState | undefined;
  readonly now?: (() => number) | undefined;
}): Tickets {
  if (typeof options?.secret !== 'string' && !(options?.secret instanceof Uint8Array)) {
    throw new TypeError('createTickets takes { secret }, at least 32 bytes');
  }
  const { secret, state = new ProcessState(), now = Date.now } = options;
  const key = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
  if (key.length < 32) throw new RangeError(`the ticket secret has ${key.length} bytes; use at least 32`);
  return {
    async issue(grant) {
      const { user, ...limits } = parse(grantSchema, grant);
      const seconds = Math.floor(now() / 1000);
      // A mark for the limits: without the secret nobody can tell whose it is.
      const mark = createHmac('sha256', key).update(`user ${user}`).digest('base64url').slice(0, 22);
      const ticket = await new SignJWT({ mark, ...limits })
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(audience)
        .setJti(randomUUID())
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + ticketSeconds)
        .sign(key);
      if (ticket.length <= maximumTicketBytes) return ticket;
      throw new TypeError(
        `issue: the ticket has ${ticket.length} bytes, and a header of an upgrade takes ${maximumTicketBytes}; use fewer voices`,
      );
    },
    async redeem(ticket) {
      try {
        const { payload } = await jwtVerify(ticket, key, {
          algorithms: ['HS256'],
          audience,
          currentDate: new Date(now()),
          maxTokenAge: ticketSeconds,
          clockTolerance: clockToleranceSeconds,
          requiredClaims: ['exp', 'iat', 'jti', 'mark'],
        });
        await state.useTicket(String(payload.jti), {
          issued: (payload.iat ?? 0) * 1000,
          expires: ((payload.exp ?? 0) + clockToleranceSeconds) * 1000,
          now: now(),
        });
        return grantOf(payload);
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new Refusal(401, 'The ticket has expired.');
        if (error instanceof errors.JOSEError) throw new Refusal(401, 'The ticket is not valid.');
        throw error;
      }
    },
  };
}

/** The claims are ours, since the signature is; an application without this package may have signed them. */
function grantOf({ mark, model, voices, formats, characters, references }: JWTPayload): Grant {
  try {
    return parse(grantSchema, { user: mark, model, voices, formats, characters, references });
  } catch (error) {
    throw new Refusal(401, 'The ticket is not valid.', undefined, (error as Error).message);
  }
}
