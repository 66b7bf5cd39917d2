/** The protocol version this client speaks; the engine's README describes it. */
export const engineProtocol = 1;

/** Hz, of what the engine makes. */
export const engineSampleRate = 22050;

/** One request to an engine process. */
export interface Utterance {
  readonly text: string;
  /** Engine voice, with a variant after a plus sign: `en-us+f3`. */
  readonly voice: string;
  /** Words a minute, 80 to 450. */
  readonly rate: number;
  /** 0 to 99. */
  readonly pitch: number;
  /** Pitch range, 0 to 99. */
  readonly range: number;
}

/** Times are seconds from the start of the utterance, positions 0-based code points of its text. */
export type TimedEvent =
  | { readonly event: 'word'; readonly time: number; readonly position: number; readonly length: number }
  | { readonly event: 'sentence'; readonly time: number; readonly position: number }
  | { readonly event: 'phoneme'; readonly time: number; readonly phoneme: string }
  | { readonly event: 'clause-end'; readonly time: number };

/** One line of an engine's standard output; `audio` is followed by as many bytes of PCM as it says. */
export type EngineMessage =
  | { readonly type: 'ready'; readonly protocol: number; readonly sample_rate: number }
  | { readonly type: 'events'; readonly id: string; readonly events: readonly TimedEvent[] }
  | { readonly type: 'audio'; readonly id: string; readonly bytes: number }
  | { readonly type: 'done'; readonly id: string; readonly samples: number }
  | { readonly type: 'error'; readonly id: string | null; readonly message: string };

/** Output of an utterance, in the order it is made. */
export type EngineOutput =
  | { readonly type: 'events'; readonly events: readonly TimedEvent[] }
  | { readonly type: 'audio'; readonly samples: Int16Array };

/** The engine could not do its work: it crashed, fell silent, or answered something else than its protocol. */
export class SpeechEngineError extends Error {
  override readonly name = 'SpeechEngineError';
}

/** Every engine was at work for too long: the same job may be spoken later. */
export class SpeechOverloadError extends Error {
  override readonly name = 'SpeechOverloadError';
}
