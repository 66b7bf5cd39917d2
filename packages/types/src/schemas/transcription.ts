import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];

/** One recording to transcribe; its size and length are in {@link limits}. */
export type TranscriptionRequest = Schemas['TranscriptionRequest'];

/** The words of a recording and its duration in seconds; `segments` is empty when timestamps are ignored. */
export type Transcription = Schemas['Transcription'];

/** A piece of a transcription, in seconds from the start of the recording. */
export type TranscriptionSegment = Schemas['TranscriptionSegment'];
