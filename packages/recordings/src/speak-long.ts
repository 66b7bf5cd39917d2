import type { CallOptions, SpeechClient, SpeechRequest } from '@speech-api/client';
import { type CaptionOptions, writeSrt, writeVtt } from '@speech-api/streaming';
import type { AudioFormat, SynthesisModel } from '@speech-api/types';
import { bitsPerSample, defaultSampleRates, synthesisDefaults } from '@speech-api/types/constants';
import { hexDigest } from './digest.ts';
import { RecordingError } from './errors.ts';
import type { JoinedWriter, Track, TrackEvent } from './formats/track.ts';
import { openReader } from './open-reader.ts';
import { lengthOf, splitText } from './split-text.ts';
import type { Journal } from './transcribe-recording.ts';

/** How a long text is spoken. */
export interface SpeakLongOptions extends CallOptions {
  readonly model?: SynthesisModel | undefined;
  /** Code points of one call; the interface names no limit. @defaultValue 3000 */
  readonly maximumCharacters?: number | undefined;
  /** Whether to ask for the time of each word; the model must have timestamps. @defaultValue false */
  readonly timestamps?: boolean | undefined;
  /** Calls that are under way at once, within the client's own limit. @defaultValue 2 */
  readonly jobs?: number | undefined;
  /** Keeps the audio of finished parts. */
  readonly journal?: Journal | undefined;
  readonly onProgress?:
    | ((progress: {
        readonly finishedParts: number;
        readonly parts: number;
        readonly seconds: number;
      }) => void)
    | undefined;
}

/** A word of a long text, in seconds of the whole file. */
export interface LongSegment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Captions never span two parts. */
  readonly chunk_seq: number;
}

interface SpokenPart {
  readonly audio: Uint8Array<ArrayBuffer>;
  readonly segments: readonly { readonly text: string; readonly start: number; readonly end: number }[];
}

/** Nobody speaks so many letters in a second, not at double speed either. */
const fastestLetters = 100;

/**
 * Speaks a text of any length into one file: iterate it for the bytes. A wav file comes with the sizes of a stream,
 * which `finishWav` of `@speech-api/audio` and `saveTo` of `@speech-api/client/node` make true.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 * import { speakLong } from '@speech-api/recordings';
 *
 * const speech = speakLong(createSpeechClient(), { text: 'A chapter.\n\nAnd another one.', format: 'opus' }, { timestamps: true });
 * let bytes = 0;
 * for await (const piece of speech) bytes += piece.length;
 * console.log(bytes, speech.duration, speech.toVtt());
 * ```
 */
export function speakLong(
  client: SpeechClient,
  request: SpeechRequest,
  options: SpeakLongOptions = {},
): LongSpeech {
  return new LongSpeech(client, request, options);
}

/** A long text being spoken. It can be read once; times are filled while it is read. */
export class LongSpeech implements AsyncIterable<Uint8Array> {
  readonly format: AudioFormat;
  /** The texts of the single calls. */
  readonly parts: readonly string[];
  readonly #client: SpeechClient;
  readonly #request: SpeechRequest;
  readonly #options: SpeakLongOptions;
  readonly #segments: LongSegment[] = [];
  #duration = 0;
  #taken = false;

  constructor(client: SpeechClient, request: SpeechRequest, options: SpeakLongOptions) {
    const { maximumCharacters = 3000, jobs = 2 } = options;
    if (!(maximumCharacters >= 100))
      throw new RangeError(`maximumCharacters is ${maximumCharacters}; use 100 or more`);
    if (!(Number.isInteger(jobs) && jobs >= 1))
      throw new RangeError(`jobs is ${jobs}; use a whole number from 1`);
    this.format = request.format ?? synthesisDefaults.format;
    this.parts = splitText(request.text, maximumCharacters);
    if (this.parts.length === 0) throw new RangeError('text is empty; there is nothing to speak');
    this.#client = client;
    this.#request = request;
    this.#options = options;
  }

  /** Words so far, with `timestamps: true`. */
  get segments(): readonly LongSegment[] {
    return this.#segments;
  }

  /** Seconds of the file so far, counted in samples. */
  get duration(): number {
    return this.#duration;
  }

  toVtt(options?: CaptionOptions): string {
    return writeVtt(this.#segments, options);
  }

  toSrt(options?: CaptionOptions): string {
    return writeSrt(this.#segments, options);
  }

  toJSON(): { readonly duration: number; readonly segments: readonly LongSegment[] } {
    return { duration: this.#duration, segments: this.#segments };
  }

  /**
   * The bytes of the file in order.
   *
   * @throws RecordingError for a part that is far too short for its text, and what the client's calls throw.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#taken) throw new TypeError('this speech is being read or has been read; it can be read once');
    this.#taken = true;
    const { jobs = 2, signal: outer, onProgress } = this.#options;
    const limit = Math.min(jobs, this.#client.settings.concurrency);
    const stop = new AbortController();
    const signal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal;
    const joiner = new Joiner(this.format, this.#request.sample_rate ?? defaultSampleRates[this.format]);
    const underWay: Promise<SpokenPart>[] = [];
    try {
      for (const [index, text] of this.parts.entries()) {
        while (underWay.length < limit && index + underWay.length < this.parts.length) {
          const spoken = this.#speak(this.parts[index + underWay.length] ?? '', signal);
          // The failure is reported to the caller that waits for it; until then it is not unhandled.
          spoken.catch(() => {});
          underWay.push(spoken);
        }
        const part = await underWay.shift();
        if (part === undefined) return;
        const { bytes, offset, seconds } = joiner.add(part.audio);
        const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
        if (seconds < letters / fastestLetters) {
          throw new RecordingError(
            `Part ${index + 1} of ${this.parts.length} is ${seconds.toFixed(1)} s of audio for ${lengthOf(text)} characters, which cannot be all of it. Try again.`,
            'too-short',
          );
        }
        for (const { text: word, start, end } of part.segments) {
          this.#segments.push({ text: word, start: offset + start, end: offset + end, chunk_seq: index });
        }
        this.#duration = joiner.seconds;
        yield* bytes;
        onProgress?.({ finishedParts: index + 1, parts: this.parts.length, seconds: this.#duration });
      }
      yield* joiner.end();
    } finally {
      stop.abort();
      await Promise.allSettled(underWay);
    }
  }

  async #speak(text: string, signal: AbortSignal): Promise<SpokenPart> {
    const {
      journal,
      model = this.#client.settings.model,
      timestamps = false,
      timeouts,
      retry,
      trace,
      headers,
    } = this.#options;
    const request = { ...this.#request, text };
    const key = journal === undefined ? '' : await keyOf(request, model, timestamps);
    const kept = await journal?.read(key);
    if (kept !== undefined) return unpack(kept);
    const call = { model, signal, timeouts, retry, trace, headers };
    const part = timestamps ? await this.#timed(request, call) : await this.#plain(request, call);
    await journal?.write(key, pack(part));
    return part;
  }

  async #plain(request: SpeechRequest, call: CallOptions): Promise<SpokenPart> {
    const audio = await this.#client.speech.create(request, call);
    return { audio: await audio.bytes(), segments: [] };
  }

  async #timed(request: SpeechRequest, call: CallOptions): Promise<SpokenPart> {
    const { audio, timeline } = await (
      await this.#client.speech.streamWithTimestamps(request, call)
    ).collect();
    return {
      audio: audio.slice(),
      segments: timeline.segments.map(({ text, start, end }) => ({ text, start, end })),
    };
  }
}

/** Joins files of one kind to one, and counts its samples. */
class Joiner {
  readonly #format: AudioFormat;
  #rate: number;
  #description: string | undefined;
  #writer: JoinedWriter | undefined;
  #skippedSamples = 0;
  #samples = 0;

  constructor(format: AudioFormat, rate: number) {
    this.#format = format;
    this.#rate = rate;
  }

  get seconds(): number {
    return Math.max(0, this.#samples - this.#skippedSamples) / this.#rate;
  }

  /** @returns the bytes to write, where time 0 of this file is in the joined one, and how long it is */
  add(audio: Uint8Array): { bytes: Uint8Array[]; offset: number; seconds: number } {
    if (this.#format === 'pcm') {
      const offset = this.seconds;
      this.#samples += audio.length / (bitsPerSample.pcm / 8);
      return { bytes: [audio], offset, seconds: this.seconds - offset };
    }
    const { reader } = openReader(audio);
    const events: TrackEvent[] = [...reader.push(audio), ...reader.end()];
    const bytes: Uint8Array[] = [];
    const before = this.#samples;
    let skipped = 0;
    for (const event of events) {
      if (event.type === 'track') {
        this.#start(event.track);
        skipped = event.track.skippedSamples;
      } else if (event.type === 'packet') {
        this.#samples += event.packet.samples;
        bytes.push(...(this.#writer?.write(event.packet) ?? []));
      } else if (event.isTruncated) {
        throw new RecordingError('The audio of a part breaks off. Try again.', 'damaged');
      }
    }
    const offset = (before + skipped - this.#skippedSamples) / this.#rate;
    return { bytes, offset, seconds: (this.#samples - before - skipped) / this.#rate };
  }

  end(): Uint8Array[] {
    return this.#writer?.end() ?? [];
  }

  #start(track: Track): void {
    if (this.#writer === undefined) {
      const joined = track.startJoined?.();
      if (joined === undefined)
        throw new RecordingError(`${track.description} cannot be joined.`, 'unsupported');
      this.#writer = joined.writer;
      this.#skippedSamples = joined.skippedSamples;
      this.#description = track.description;
      this.#rate = track.sampleRate;
    } else if (track.description !== this.#description) {
      throw new RecordingError(
        `A part is ${track.description} and the first one is ${this.#description}.`,
        'damaged',
      );
    }
  }
}

/** Everything that changes the audio; reference audio counts by its bytes. */
async function keyOf(request: SpeechRequest, model: string, timestamps: boolean): Promise<string> {
  const samples: Blob[] = [];
  const text = JSON.stringify({ version: 1, request, model, timestamps }, (_name, value: unknown) => {
    if (value instanceof Blob) return samples.push(value);
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value))
      return samples.push(new Blob([value as BlobPart]));
    return value;
  });
  const contents = await Promise.all(samples.map((sample) => sample.arrayBuffer()));
  return hexDigest([new TextEncoder().encode(text), ...contents.map((content) => new Uint8Array(content))]);
}

/** A line of JSON with the times, then the audio. */
function pack({ audio, segments }: SpokenPart): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${JSON.stringify(segments)}\n`);
  const packed = new Uint8Array(head.length + audio.length);
  packed.set(head);
  packed.set(audio, head.length);
  return packed;
}

function unpack(packed: Uint8Array): SpokenPart {
  const end = packed.indexOf(10);
  return {
    segments: JSON.parse(new TextDecoder().decode(packed.subarray(0, end))),
    audio: packed.slice(end + 1),
  };
}
