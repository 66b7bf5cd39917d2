import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];

/**
 * The payload of one event of the timestamped stream, as it is on the wire.
 * `audio_base64` still has to be decoded, and the times of `alignment` count in seconds from `chunk_audio_offset_sec`.
 */
export type SpeechStreamEvent = Schemas['SpeechStreamEvent'];

/** The Server-Sent Event around a {@link SpeechStreamEvent}, which is the JSON text in `data`. */
export type SpeechStreamMessage = Schemas['SpeechStreamMessage'];

/** A cumulative snapshot for one text chunk: it replaces the one before it. Its duration is in seconds. */
export type Alignment = Schemas['Alignment'];

/** A piece of text and when it is spoken, in seconds from the start of the audio of its text chunk. */
export type AlignmentSegment = Schemas['AlignmentSegment'];
