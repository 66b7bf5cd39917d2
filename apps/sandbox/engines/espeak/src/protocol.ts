/** Version of the protocol in README.md; a client refuses an engine of another one. */
export const protocolVersion = 1;

/** One line on standard input. */
export interface SpeakRequest {
  readonly type: 'speak';
  /** Chosen by the client and repeated in the answer. */
  readonly id: string;
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

/** Times are seconds from the start of the utterance; positions are 0-based code points of the request's text. */
export type TimedEvent =
  | { readonly event: 'word'; readonly time: number; readonly position: number; readonly length: number }
  | { readonly event: 'sentence'; readonly time: number; readonly position: number }
  | { readonly event: 'phoneme'; readonly time: number; readonly phoneme: string }
  | { readonly event: 'clause-end'; readonly time: number };

/** One line on standard output; `audio` is followed by as many bytes of PCM as it says. */
export type EngineMessage =
  | {
      readonly type: 'ready';
      readonly protocol: number;
      readonly engine: string;
      readonly sample_rate: number;
    }
  | { readonly type: 'events'; readonly id: string; readonly events: readonly TimedEvent[] }
  | { readonly type: 'audio'; readonly id: string; readonly bytes: number }
  | { readonly type: 'done'; readonly id: string; readonly samples: number }
  | { readonly type: 'error'; readonly id: string | null; readonly message: string };
