import { liveCloseCodes } from '@speech-api/types/live';

/**
 * Reasons for ending a session, as a status. The close code is 4000 plus the status; a browser sees nothing
 * else. Final: trying again cannot help. The others are worth another try, after a while.
 */
export const refusals = {
  400: { final: true, message: 'The service refused the request.' },
  401: {
    final: true,
    message: 'The session or ticket is not valid; a ticket is the subprotocol ticket.<ticket>.',
  },
  402: { final: true, message: 'The account of the application has no credit.' },
  403: { final: true, message: 'This is not allowed here.' },
  408: { final: false, message: 'The session was open for too long.' },
  413: { final: true, message: 'The message or the text is too long.' },
  422: { final: true, message: 'The message is not valid.' },
  429: { final: false, message: 'Too many sessions.' },
  500: { final: true, message: 'The relay failed.' },
  502: { final: false, message: 'The service cannot be reached.' },
  503: { final: false, message: 'The relay or the service is busy. Come back soon.' },
} as const;

/** A status of {@link refusals}. */
export type RefusalStatus = keyof typeof refusals;

/** A session that is refused or ended. The message is for whoever wrote the page; it never comes from the service. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: RefusalStatus;
  readonly retryAfterSeconds: number | undefined;
  /** Message for the log instead, if it is not a client's concern. */
  readonly logged: string;
  /** The status of the service's answer, where it was the service that refused; for the log alone. */
  readonly serviceStatus: number | undefined;

  constructor(
    status: RefusalStatus,
    message: string = refusals[status].message,
    retryAfterSeconds?: number,
    logged: string = message,
    serviceStatus?: number,
  ) {
    super(message);
    this.serviceStatus = serviceStatus;
    this.logged = logged;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function closeCode(status: RefusalStatus): number {
  return 4000 + status;
}

/** A day. Anything longer is not a time to wait. */
const maximumRetryAfter = 86_400;

/** Translates a refusal of the service for a client: the relay's key is not its concern. */
export function refusalOfAnswer(status: number, retryAfter: string | undefined): Refusal {
  const refuse = (shown: RefusalStatus, message?: string, retryAfterSeconds?: number): Refusal =>
    new Refusal(shown, message, retryAfterSeconds, message, status);
  const seconds = Math.ceil(Number(retryAfter ?? Number.NaN));
  if (status === 402 || status === 413) return refuse(status);
  if (status === 400 || status === 422) return refuse(400);
  if (status === 429) {
    const isTime = seconds > 0 && seconds <= maximumRetryAfter;
    return refuse(429, 'The service is at its limit.', isTime ? seconds : 1);
  }
  if (status === 408 || status >= 500) return refuse(503);
  return refuse(500, 'The service refuses the relay. Its operator finds the status in the log.');
}

/** The refusal for a client when the service closes the session in the middle of an utterance. */
export function refusalOfClose(code: number): Refusal {
  if (code === liveCloseCodes.notMessagePack || code === liveCloseCodes.refused) return new Refusal(400);
  if (code === liveCloseCodes.tooLarge) return new Refusal(413);
  return new Refusal(502, 'The service broke off.');
}
