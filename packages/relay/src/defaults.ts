// Default values that no document of the service states.

/** The subprotocol of the relay, which is the only one it accepts. packages/live names it too. */
export const relayProtocol = 'speech-relay';
/** Prefix of a ticket, which travels as a second subprotocol and so in no address. */
export const ticketPrefix = 'ticket.';

/** The address on which the relay listens by default. */
export const defaultPort = 4030;
export const defaultHost = '127.0.0.1';

/** The defaults of {@link RelayLimits}. */
export const defaultLimits = {
  /** Sessions that one user may have at once. @defaultValue 3 */
  sessionsPerUser: 3,
  /** Sessions that one user may begin within a minute. @defaultValue 30 */
  startsPerUserAndMinute: 30,
  /** Sessions from the pages of one origin at once. @defaultValue 1000 */
  sessionsPerOrigin: 1000,
  /** Sessions that the pages of one origin may begin within a minute. @defaultValue 3000 */
  startsPerOriginAndMinute: 3000,
  /** Concurrent sessions in total, including those being authorized. @defaultValue 2000 */
  sessions: 2000,
  /** Unicode code points of text in one session; a grant may say less or more. @defaultValue 20000 */
  charactersPerSession: 20_000,
  /** Unicode code points of text of one user within 24 hours, which begin with the first. @defaultValue 100000 */
  charactersPerUserAndDay: 100_000,
  /** Unicode code points of text from the pages of one origin within 24 hours. @defaultValue 5000000 */
  charactersPerOriginAndDay: 5_000_000,
  /** Messages of a client within one second. @defaultValue 500 */
  messagesPerSecond: 500,
  /** Bytes of one message of a client. @defaultValue 65536 */
  messageBytes: 64 * 1024,
  /** Bytes of one message of a client that may send voice samples. @defaultValue 8388608 */
  messageBytesWithReferences: 8 * 1024 * 1024,
  /** Bytes of one message of the service. @defaultValue 16777216 */
  serviceMessageBytes: 16 * 1024 * 1024,
  /** Bytes that may wait on one side before the other side is paused. @defaultValue 262144 */
  heldBytes: 256 * 1024,
  /** Seconds of a session, however busy. @defaultValue 900 */
  sessionSeconds: 900,
  /** Seconds without a message from either side. @defaultValue 60 */
  idleSeconds: 60,
  /** Seconds for `authorize` and the service each to answer. @defaultValue 10 */
  answerSeconds: 10,
  /** Seconds for utterances to finish once the relay drains. @defaultValue 20 */
  drainSeconds: 20,
};

/** Limits of the relay. Each may be changed by an option of the same name. */
export type RelayLimits = { readonly [Name in keyof typeof defaultLimits]: number };

/** Time for which a ticket is valid. */
export const ticketSeconds = 30;
/** Maximum difference between the clocks of application and relay; used tickets are kept that much longer. */
export const clockToleranceSeconds = 5;
/** Node accepts 16 KiB of headers in total. */
export const maximumTicketBytes = 8192;
/** Maximum number of used tickets that have not expired; above it, no further ticket is accepted. */
export const maximumUsedTickets = 100_000;
/** The share of a day's characters that a relay grants to open sessions while Redis does not answer. */
export const localShare = 0.1;
/** Characters that a session reserves at once under a daily limit; the unused rest is returned. */
export const charactersAtOnce = 500;
/** Seconds after which a crashed relay's places are free again; heartbeats come three times as often. */
export const leaseSeconds = 30;
/** Seconds for Redis to answer. */
export const redisAnswerSeconds = 2;
