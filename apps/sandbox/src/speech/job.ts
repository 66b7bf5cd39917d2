import {
  type AudioFormat,
  defaultModel,
  defaultSampleRates,
  type LatencyMode,
  prosodyDefaults,
  type SpeechStreamEvent,
  synthesisDefaults,
} from '@speech-api/types';

/** Sound of one voice: the settings that the embedded engine can change. */
export interface VoiceProfile {
  /** The voice model's id, or the caller's own name for a voice made from references. */
  readonly id: string;
  /** Engine language in which the voice speaks English, such as `en-us`. */
  readonly accent: string;
  /** ISO codes. Of the languages that share a script, the first one listed here is spoken. */
  readonly languages?: readonly string[] | undefined;
  /** Engine variant, such as `f3`. */
  readonly variant?: string;
  /** 0 to 99. */
  readonly pitch: number;
  /** Words a minute at speed 1. */
  readonly rate: number;
  /** Seed for small variations of the voice. */
  readonly seed: string;
}

/** One synthesis, checked and with its defaults filled in. */
export interface SpeechJob {
  readonly text: string;
  readonly model: string;
  /** One profile per speaker; at least one. */
  readonly speakers: readonly VoiceProfile[];
  readonly format: AudioFormat;
  /** Hz. */
  readonly sample_rate: number;
  /** kbit/s. */
  readonly mp3_bitrate: number;
  /** bit/s, or -1000 for automatic. */
  readonly opus_bitrate: number;
  /** Code points of text in one chunk at most. */
  readonly chunk_length: number;
  /** Code points a chunk must have before another may begin. */
  readonly min_chunk_length: number;
  readonly latency: LatencyMode;
  readonly normalize: boolean;
  readonly temperature: number;
  readonly top_p: number;
  /** Bounds the audio of a chunk. */
  readonly max_new_tokens: number;
  /** Whether a voice keeps its pitch and its pace from chunk to chunk. */
  readonly condition_on_previous_chunks: boolean;
  readonly prosody: {
    /** 0.5 to 2. */
    readonly speed: number;
    /** dB, 0 leaves the voice as it is; clamped to -20..20. */
    readonly volume: number;
    readonly normalize_loudness: boolean;
  };
}

/** Some of the audio, with the latest that is known of the text chunk it is made for. */
export interface SpeechPiece extends Omit<SpeechStreamEvent, 'audio_base64'> {
  readonly audio: Uint8Array;
}

/** A word and when it is heard, in seconds. */
export interface TimedWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** In a dialogue, the id of the voice that says it. */
  readonly voice?: string;
}

/** A text chunk that has been spoken to its end, before level and codec were applied. */
export interface SpokenChunk {
  readonly text: string;
  /** In seconds from the first of the samples. */
  readonly words: readonly TimedWord[];
  /** Mono samples as the engine produced them; the receiver owns them. */
  readonly samples: Int16Array;
  /** Hz. */
  readonly sampleRate: number;
}

export interface SynthesizeOptions {
  /** Aborting ends the work at once. */
  readonly signal: AbortSignal;
  /** Called with every chunk before its last piece leaves. */
  readonly onSpoken?: (chunk: SpokenChunk) => void;
}

/** A synthesis whose text comes while it is spoken. */
export interface SpeechSession {
  /** More text, which goes on where the last ended. It is spoken as soon as it makes a chunk. */
  write(text: string): void;
  /** Speaks what was written so far, without waiting for a chunk to be full. */
  flush(): void;
  end(): void;
  /**
   * The speech for one listener: the pieces join to one stream in the job's format. The same text with the
   * same flushes gives the same bytes, regardless of when and in what portions it was written. Leaving the
   * loop ends the work.
   */
  readonly pieces: AsyncIterable<SpeechPiece>;
}

export interface SpeechService {
  /**
   * Speaks while it is listened to: nothing is made ahead of the consumer but the rest of the chunk it is at, so that
   * a slow one keeps no engine. The same job gives the same bytes. The job's text is the beginning of what is spoken.
   * Costs nothing while there is nothing to speak.
   *
   * @throws SpeechOverloadError when no engine is free for its first words in time
   * @throws SpeechEngineError when the engine fails; the next job finds another engine.
   */
  open(job: SpeechJob, options: SynthesizeOptions): SpeechSession;
  /** Settles when the first words can be spoken without waiting for a process to start. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** The job of a request that says nothing but its text. */
export function defaultJob(text: string, speaker: VoiceProfile): SpeechJob {
  return {
    ...synthesisDefaults,
    text,
    model: defaultModel,
    speakers: [speaker],
    sample_rate: defaultSampleRates[synthesisDefaults.format],
    prosody: prosodyDefaults,
  };
}
