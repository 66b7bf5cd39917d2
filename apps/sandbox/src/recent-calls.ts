import { finishWav, readWavHeader, writeWavHeader } from '@speech-api/audio';
import type { Outcome } from '@speech-api/server';
import { audioMediaTypes } from '@speech-api/types';
import type { SpeechJob } from './speech/job.ts';

/** Log entry of a call. Never contains its key, and contains its text only if the developer enables that. */
export interface RecentCall {
  readonly id: number;
  /** ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** Without its query, and without the user id of a wallet. */
  readonly path: string;
  readonly trace_id: string;
  /** Undefined while the call runs, and if the caller disconnected before an answer. */
  readonly status?: number;
  readonly state: 'under way' | 'complete' | 'cut';
  readonly milliseconds?: number;
  readonly speech?: SpokenCall;
  /** Reason for a refusal, or another remark. */
  readonly message?: string;
}

/** Details of a requested synthesis. */
export interface SpokenCall extends Omit<SpeechAsked, 'text'> {
  readonly text_code_points: number;
  /** The beginning of the text. */
  readonly text?: string;
  readonly audio_bytes: number;
  /** Whether the audio can still be played; long or old audio is not kept. */
  readonly audio_kept: boolean;
}

/** Takes the details of a call while it is answered. */
export interface CallRecorder {
  /** Marks the call as a synthesis of this request. The text may grow while it is spoken. */
  speaks(request: SpeechAsked): void;
  /** Notes audio that was sent. The bytes are kept by reference. */
  audio(bytes: Uint8Array): void;
  /** Notes the reason for a refusal, or another remark. */
  remark(message: string): void;
  /** Marks the call as finished. */
  end(outcome: Outcome): void;
}

/** The settings of a requested synthesis. */
export type SpeechAsked = Pick<SpeechJob, 'text' | 'model' | 'format' | 'sample_rate' | 'latency'>;

/** The audio of a call. */
export interface KeptAudio {
  readonly asked: SpeechAsked;
  readonly pieces: readonly Uint8Array[];
}

/** The last calls, in memory. */
export interface RecentCalls {
  begin(call: Pick<RecentCall, 'method' | 'path' | 'trace_id'>): CallRecorder;
  /** The latest first. */
  list(): RecentCall[];
  audio(id: number): KeptAudio | undefined;
  clear(): void;
}

/** Options of the list of recent calls. */
export interface RecentCallsOptions {
  /** Shows the first code points of a text. @defaultValue false: only its length */
  readonly showText?: boolean;
  /** @defaultValue 100 */
  readonly calls?: number;
  /** Total bytes of audio kept for all calls. @defaultValue 32 MiB */
  readonly audioBytes?: number;
}

const shownCodePoints = 80;

interface Entry {
  call: RecentCall;
  asked?: SpeechAsked;
  pieces: Uint8Array[] | undefined;
  bytes: number;
}

/** Makes an empty list. It forgets the oldest first: calls above their number, audio above its bytes. */
export function createRecentCalls(options: RecentCallsOptions = {}): RecentCalls {
  const { calls = 100, audioBytes = 33_554_432 } = options;
  let entries: Entry[] = [];
  /** Bytes of audio kept. */
  let total = 0;
  let last = 0;

  const forgetAudio = (entry: Entry): void => {
    if (entry.pieces !== undefined) total -= entry.bytes;
    entry.pieces = undefined;
  };
  const makeRoom = (): void => {
    for (const entry of entries.slice(calls)) forgetAudio(entry);
    entries = entries.slice(0, calls);
    for (const entry of entries.toReversed()) {
      if (total <= audioBytes) break;
      forgetAudio(entry);
    }
  };
  const summary = (entry: Entry): RecentCall => {
    if (entry.asked === undefined) return entry.call;
    const { text, model, format, sample_rate, latency } = entry.asked;
    const codePoints = Array.from(text);
    return {
      ...entry.call,
      speech: {
        model,
        format,
        sample_rate,
        latency,
        text_code_points: codePoints.length,
        ...(options.showText ? { text: codePoints.slice(0, shownCodePoints).join('') } : {}),
        audio_bytes: entry.bytes,
        audio_kept: entry.pieces !== undefined && entry.bytes > 0,
      },
    };
  };

  return {
    begin(call) {
      last += 1;
      const entry: Entry = {
        call: { id: last, at: new Date().toISOString(), ...call, state: 'under way' },
        pieces: [],
        bytes: 0,
      };
      entries.unshift(entry);
      makeRoom();
      return {
        speaks(asked) {
          // A live socket may have several sessions in turn; the last one is kept.
          forgetAudio(entry);
          Object.assign(entry, { asked, pieces: entries.includes(entry) ? [] : undefined, bytes: 0 });
        },
        audio(bytes) {
          entry.bytes += bytes.length;
          if (entry.pieces === undefined) return;
          total += bytes.length;
          entry.pieces.push(bytes);
          makeRoom();
        },
        remark(message) {
          entry.call = { ...entry.call, message };
        },
        end({ status, isComplete, milliseconds }) {
          const state = isComplete ? 'complete' : 'cut';
          entry.call = { ...entry.call, ...(status === undefined ? {} : { status }), milliseconds, state };
        },
      };
    },
    list: () => entries.map(summary),
    audio(id) {
      const entry = entries.find(({ call }) => call.id === id);
      if (entry?.asked === undefined || entry.pieces === undefined || entry.bytes === 0) return undefined;
      return { asked: entry.asked, pieces: entry.pieces };
    },
    clear() {
      for (const entry of entries) forgetAudio(entry);
      entries = [];
    },
  };
}

/** A file that a browser plays. */
export interface PlayableAudio {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Makes a file of kept audio: pcm gets a header, and that of wav its true sizes, which the stream could not know. */
export function playable({ asked, pieces }: KeptAudio): PlayableAudio {
  const bytes = Buffer.concat(pieces);
  if (asked.format === 'pcm') {
    return {
      mediaType: audioMediaTypes.wav,
      bytes: Buffer.concat([
        writeWavHeader({ sampleRate: asked.sample_rate, dataBytes: bytes.length }),
        bytes,
      ]),
    };
  }
  if (asked.format === 'wav' && readWavHeader(bytes)) finishWav(bytes);
  return { mediaType: audioMediaTypes[asked.format], bytes };
}
