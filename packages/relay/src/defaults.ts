// Default values that no document of the service states.

/** The subprotocol of the relay, which is the only one it accepts. packages/live names it too. */
export const relayProtocol = 'speech-relay';
/** Prefix of a ticket, which travels as a second subprotocol and so in no address. */
export const ticketPrefix = 'ticket.';

/** The address on which the relay listens by default. */
export const defaultPort = 4030;
export const defaultHost = '127.0.0.1';

/** Every limit, with its default and what it counts. The option `limits`, `--help` and the guides are made from it. */
export const limitTable = {
  sessionsPerUser: [3, 'sessions that one user may have at once'],
  startsPerUserAndMinute: [30, 'sessions that one user may begin within a minute'],
  sessionsPerOrigin: [1000, 'sessions from the pages of one origin at once'],
  startsPerOriginAndMinute: [3000, 'sessions that the pages of one origin may begin within a minute'],
  sessions: [2000, 'concurrent sessions in total, including those being authorized'],
  charactersPerSession: [20_000, 'Unicode code points of text in one session; a grant may say less or more'],
  charactersPerUserAndDay: [
    100_000,
    'Unicode code points of text of one user within 24 hours, which begin with the first',
  ],
  charactersPerOriginAndDay: [
    5_000_000,
    'Unicode code points of text from the pages of one origin within 24 hours',
  ],
  messagesPerSecond: [500, 'messages of a client within one second'],
  messageBytes: [65_536, 'bytes of one message of a client'],
  messageBytesWithReferences: [8_388_608, 'bytes of one message of a client that may send voice samples'],
  serviceMessageBytes: [16_777_216, 'bytes of one message of the service'],
  heldBytes: [262_144, 'bytes that may wait on one side before the other side is paused'],
  sessionSeconds: [900, 'seconds of a session; what is being spoken then may take as long again'],
  idleSeconds: [
    60,
    'seconds without a message; between a start and its stop, seconds for the client to answer a ping',
  ],
  silenceSeconds: [300, 'seconds without a message between a start and its stop'],
  answerSeconds: [10, 'seconds for `authorize` and the service each to answer'],
  drainSeconds: [20, 'seconds for utterances to finish once the relay drains'],
} as const satisfies Readonly<Record<string, readonly [value: number, meaning: string]>>;

/** Limits of the relay. Each may be changed by an option of the same name. */
export type RelayLimits = { readonly [Name in keyof typeof limitTable]: number };

/** The defaults of {@link RelayLimits}. */
export const defaultLimits: RelayLimits = Object.fromEntries(
  Object.entries(limitTable).map(([name, [value]]) => [name, value]),
) as RelayLimits;

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
export const redisAnswerSeconds = 2;
