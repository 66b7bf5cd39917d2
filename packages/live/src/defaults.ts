// Values that no document of the service states; each but the first two may be changed by an option.

/** The subprotocol of our relay, as packages/relay names it too. Ours: the service has none. */
export const relayProtocol = 'speech-relay';
/** In front of a relay's ticket, which travels as a second subprotocol. */
export const ticketPrefix = 'ticket.';

/** Milliseconds from connecting until the upgrade is answered. */
export const connectMilliseconds = 10_000;
/** Milliseconds after `finish` within which a server that closes then is expected to; text is not sent meanwhile. */
export const settleMilliseconds = 25;
/** Milliseconds without audio while audio is owed. */
export const idleMilliseconds = 30_000;
/** Bytes of one frame of the server. */
export const maximumFrameBytes: number = 16 * 1024 * 1024;
/** Bytes of unread audio above which the socket is paused. */
export const pauseAboveBytes: number = 1024 * 1024;
/** The same where a socket cannot be paused: above it the utterance ends with an error. */
export const maximumUnreadBytes: number = 64 * 1024 * 1024;
/** Bytes of text that have not left yet, above which a writer waits. */
export const maximumUnsentBytes: number = 256 * 1024;
/** Bytes of the body of a refused upgrade that are read. */
export const maximumRefusalBytes: number = 64 * 1024;
/** Seconds of speech that are still to be played, above which text waits. */
export const aheadSeconds = 4;
/** Characters of one `text` message; a longer text becomes several. */
export const messageCharacters = 8192;
