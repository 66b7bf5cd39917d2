import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];

/**
 * A speech-to-text model: one of {@link transcriptionModels} or any other name, because new models appear.
 * @defaultValue {@link defaultTranscriptionModel}
 */
export type TranscriptionModel = Schemas['TranscriptionModel'];

/** One recording to transcribe; its size and length are in {@link limits}. */
export type TranscriptionRequest = Schemas['TranscriptionRequest'];

/** The words of a recording and its duration in seconds; `segments` is empty when timestamps are ignored. */
export type Transcription = Schemas['Transcription'];

/** What one speaker says without a break. The number of a speaker holds within one answer. */
export type SpeakerTurn = Schemas['SpeakerTurn'];

/** A piece of a transcription, in seconds from the start of the recording. */
export type TranscriptionSegment = Schemas['TranscriptionSegment'];
