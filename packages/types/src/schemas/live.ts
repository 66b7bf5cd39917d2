import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];

/** Opens a live session: how to speak, and usually no text yet. */
export type LiveStartMessage = Schemas['StartMessage'];

/** More text to speak. */
export type LiveTextMessage = Schemas['TextMessage'];

/** Speak what has been collected so far. */
export type LiveFlushMessage = Schemas['FlushMessage'];

/** There is no more text. */
export type LiveStopMessage = Schemas['StopMessage'];

/** A piece of the audio, in order. */
export type LiveAudioMessage = Schemas['AudioMessage'];

/** A piece of the audio with word times, from the sibling at {@link liveTimestampsPath}. */
export type LiveTimedAudioMessage = Schemas['TimedAudioMessage'];

/** The end of a session, after `stop`; its `reason` may be one that is not known yet. */
export type LiveFinishMessage = Schemas['FinishMessage'];

/** A refused request; the socket closes after it. */
export type LiveErrorMessage = Schemas['ErrorMessage'];

/** A message that a client of a live session sends; {@link liveClientFields} has the fields of each. */
export type LiveClientMessage = LiveStartMessage | LiveTextMessage | LiveFlushMessage | LiveStopMessage;

/** A message that a server of a live session sends. Clients ignore any other message. */
export type LiveServerMessage = LiveAudioMessage | LiveFinishMessage | LiveErrorMessage;
