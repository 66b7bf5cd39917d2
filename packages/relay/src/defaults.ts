// What no document of the service names. Each limit may be changed by an option of the same name.

/** The subprotocol of the relay, and all that is ever echoed of what a client offers. packages/live names it too. */
export const relayProtocol = 'speech-relay';
/** In front of a ticket, which travels as a second subprotocol and so in no address. */
export const ticketPrefix = 'ticket.';

/** Where the relay listens by default. */
export const defaultPort = 4030;
export const defaultHost = '127.0.0.1';

/** Limits of the relay. */
export interface RelayLimits {
  /** Sessions that one user may have at once. @defaultValue 3 */
  readonly sessionsPerUser: number;
  /** Sessions that one user may begin within a minute. @defaultValue 30 */
  readonly startsPerUserAndMinute: number;
  /** Sessions from the pages of one origin at once. @defaultValue 1000 */
  readonly sessionsPerOrigin: number;
  /** Sessions that the pages of one origin may begin within a minute. @defaultValue 3000 */
  readonly startsPerOriginAndMinute: number;
  /** Sessions at once altogether; what is being decided counts too. @defaultValue 2000 */
  readonly sessions: number;
  /** Unicode code points of text in one session; a grant may say less or more. @defaultValue 20000 */
  readonly charactersPerSession: number;
  /** Unicode code points of text of one user within 24 hours, which begin with the first. @defaultValue 100000 */
  readonly charactersPerUserAndDay: number;
  /** The same for all pages of one origin. @defaultValue 5000000 */
  readonly charactersPerOriginAndDay: number;
  /** Messages of a client within one second. @defaultValue 500 */
  readonly messagesPerSecond: number;
  /** Bytes of one message of a client. @defaultValue 65536 */
  readonly messageBytes: number;
  /** The same for a client that may send voice samples. @defaultValue 8388608 */
  readonly messageBytesWithReferences: number;
  /** Bytes of one message of the service. @defaultValue 16777216 */
  readonly serviceMessageBytes: number;
  /** Bytes that wait on one side before the other one is paused. @defaultValue 262144 */
  readonly heldBytes: number;
  /** Seconds of a session, however busy. @defaultValue 900 */
  readonly sessionSeconds: number;
  /** Seconds without a message from either side. @defaultValue 60 */
  readonly idleSeconds: number;
  /** Seconds that `authorize` and the service each have to answer. @defaultValue 10 */
  readonly answerSeconds: number;
  /** Seconds until the first byte of the service's answer to a call over HTTP. @defaultValue 50 */
  readonly firstByteSeconds: number;
  /** Seconds that utterances have to finish once the relay drains. @defaultValue 20 */
  readonly drainSeconds: number;
}

/** The defaults of {@link RelayLimits}. */
export const defaultLimits: RelayLimits = {
  sessionsPerUser: 3,
  startsPerUserAndMinute: 30,
  sessionsPerOrigin: 1000,
  startsPerOriginAndMinute: 3000,
  sessions: 2000,
  charactersPerSession: 20_000,
  charactersPerUserAndDay: 100_000,
  charactersPerOriginAndDay: 5_000_000,
  messagesPerSecond: 500,
  messageBytes: 64 * 1024,
  messageBytesWithReferences: 8 * 1024 * 1024,
  serviceMessageBytes: 16 * 1024 * 1024,
  heldBytes: 256 * 1024,
  sessionSeconds: 900,
  idleSeconds: 60,
  answerSeconds: 10,
  // Audio that is made as a whole takes a while. Below the 60 seconds of the client, which then receives the reason.
  firstByteSeconds: 50,
  drainSeconds: 20,
};

/** How long a ticket is good for. */
export const ticketSeconds = 30;
/** How much the clocks of the application and the relay may differ. A used ticket is remembered for as much longer. */
export const clockToleranceSeconds = 5;
/** Node takes 16 KiB of headers altogether. */
export const maximumTicketBytes = 8192;
/** Tickets that were used and have not expired yet, above which no further one is accepted. */
export const maximumUsedTickets = 100_000;
/** The part of a day's characters that a relay gives out by itself to open sessions while Redis does not answer. */
export const localShare = 0.1;
/** Characters that a session asks for at once where a day has a limit; what it does not use is given back. */
export const charactersAtOnce = 500;
/** Seconds after which the places of a relay that crashed are free again; a third of it passes between heartbeats. */
export const leaseSeconds = 30;
/** Seconds that Redis has to answer. */
export const redisAnswerSeconds = 2;
