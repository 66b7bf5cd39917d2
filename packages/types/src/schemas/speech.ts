import type { Decoded } from '../decoded.ts';
import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];

/**
 * A text-to-speech model: one of {@link synthesisModels} or any other name, because new models appear.
 * @defaultValue {@link defaultModel}
 */
export type SynthesisModel = Schemas['SynthesisModel'];

/**
 * A model as the timestamped stream names them: one of {@link streamModels} or any other name.
 * @defaultValue {@link defaultModel}
 */
export type StreamSynthesisModel = Schemas['StreamSynthesisModel'];

/** A format of generated audio; its rates are in {@link sampleRates}. */
export type AudioFormat = Schemas['AudioFormat'];

/** Trade-off between how early the first audio comes and its quality. */
export type LatencyMode = Schemas['LatencyMode'];

/**
 * Speed and volume of the voice.
 * `speed` is a factor within {@link synthesisRanges}, `volume` is in decibels; 1 and 0 leave the voice as it is.
 */
export type Prosody = Schemas['Prosody'];

/** A sample of a voice and the words spoken in it; the sample travels as bytes. */
export type ReferenceAudio = Schemas['ReferenceAudio'];

/**
 * Everything of a synthesis request but the voices.
 * Only `text` is required; {@link synthesisDefaults} has the defaults of the rest, {@link synthesisRanges} their ranges.
 * Rates are in Hz, `mp3_bitrate` is in kbps and `opus_bitrate` in bps.
 */
export type SynthesisSettings = Schemas['SynthesisSettings'];

/**
 * The text to speak, and the voice or voices.
 *
 * `reference_id` is the id of a saved voice, or one id per speaker of a dialogue. `references` are samples of the voice, or
 * one list of samples per speaker, whose names are then in `reference_id`.
 * Rules that no type can express, such as the rates of a format, are in {@link synthesisRules}.
 */
export type SpeechRequest = Schemas['SynthesisRequest'];

/** A {@link SpeechRequest} as a server decodes it. */
export type SynthesisRequest = Decoded<SpeechRequest>;
