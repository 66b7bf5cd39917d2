import { joinBytes, recogniseContainer } from '@speech-api/audio';
import type { CallOptions, SpeechClient, SpeechRequest } from '@speech-api/client';
import {
  asWritten,
  type TimedText,
  type TimelineCaptionOptions,
  type TimelineSegment,
  writeSrt,
  writeVtt,
} from '@speech-api/streaming';
import type { AudioFormat, SynthesisModel } from '@speech-api/types';
import { bitsPerSample, defaultSampleRates, synthesisDefaults } from '@speech-api/types/constants';
import { type FinishedSpeech, partsOf, RecordingError, withParts } from './errors.ts';
import { openReader } from './formats/open-reader.ts';
import type { JoinedWriter, Packet, Track } from './formats/track.ts';
import { keyOf } from './journal-key.ts';
import { type JobPool, poolOf, runParts } from './run-parts.ts';
import { lengthOf, lettersOf, planSpeech } from './split-text.ts';
import type { Journal } from './transcribe-recording.ts';

/** Options for speaking a long text. */
export interface SpeakLongOptions extends CallOptions {
  readonly model?: SynthesisModel | undefined;
  /** Maximum code points per call; the interface names no limit. @defaultValue 3000 */
  readonly maximumCharacters?: number | undefined;
  /** Whether to ask for the time of each word; the model must have timestamps. @defaultValue false */
  readonly timestamps?: boolean | undefined;
  /** Maximum number of concurrent calls, within the client's own limit. @defaultValue 2 */
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

interface SpokenPart {
  readonly audio: Uint8Array<ArrayBuffer>;
  readonly segments: readonly Omit<TimelineSegment, 'chunk_seq'>[];
}

interface KeptPart extends SpokenPart {
  readonly index: number;
  readonly read: ReadPart;
}

/** No voice speaks this many letters a second at normal speed: readers say some 15, auctioneers 25. */
const fastestLetters = 50;
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

/** Options for the captions of a long text, whose words and tags are known. */
export type SpeechCaptionOptions = Omit<TimelineCaptionOptions, 'text'>;

/** A long text being spoken. It can be read once; times are filled while it is read. */
export class LongSpeech implements AsyncIterable<Uint8Array> {
  readonly format: AudioFormat;
  /** The texts of the single calls. */
  readonly parts: readonly string[];
  readonly #client: SpeechClient;
  readonly #request: SpeechRequest;
  readonly #options: SpeakLongOptions;
  readonly #segments: TimelineSegment[] = [];
  readonly #joiner: Joiner;
  readonly #warnings: string[] = [];
  readonly #pool: JobPool;
  #taken = false;

  constructor(client: SpeechClient, request: SpeechRequest, options: SpeakLongOptions) {
    const { jobs = 2 } = options;
    this.#pool = poolOf(client, jobs);
    this.format = request.format ?? synthesisDefaults.format;
    this.parts = planSpeech(request.text, options).parts;
    this.#joiner = new Joiner(this.format, request.sample_rate ?? undefined);
    this.#client = client;
    this.#request = request;
    this.#options = options;
  }

  /** Words so far, with `timestamps: true`. `chunk_seq` is the index of the part, because captions never span two. */
  get segments(): readonly TimelineSegment[] {
    return this.#segments;
  }

  /** Seconds of the file so far, counted in samples. */
  get duration(): number {
    return this.#joiner.seconds;
  }

  /** Warnings about parts so far, which are still in the file: a part breaks off or is too short for its text. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** WebVTT captions, with the words as the text writes them. A cue of a dialogue names its speaker. */
  toVtt(options?: SpeechCaptionOptions): string {
    return writeVtt(this.#captions(options), options);
  }

  /** SubRip captions, with the words and names of {@link toVtt}. */
  toSrt(options?: SpeechCaptionOptions): string {
    return writeSrt(this.#captions(options), options);
  }

  #captions({ speakers }: SpeechCaptionOptions = {}): TimedText[] {
    return this.parts.flatMap((text, index) => {
      const segments = this.#segments.filter(({ chunk_seq }) => chunk_seq === index);
      return asWritten(segments, text, speakers);
    });
  }

  toJSON(): { readonly duration: number; readonly segments: readonly TimelineSegment[] } {
    return { duration: this.duration, segments: this.#segments };
  }

  /**
   * The bytes of the file in order.
   *
   * @throws RecordingError for a part that cannot be joined, and what the client's calls throw.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#taken) throw new TypeError('this speech is being read or has been read; it can be read once');
    this.#taken = true;
    const { signal: outer, onProgress } = this.#options;
    const speak = (index: number, signal: AbortSignal): Promise<KeptPart> => this.#speak(index, signal);
    try {
      for await (const part of runParts(() => this.parts.keys(), this.#pool, outer, speak)) {
        yield this.#place(part);
        onProgress?.({ finishedParts: part.index + 1, parts: this.parts.length, seconds: this.duration });
      }
      const last = joinBytes(this.#joiner.end());
      if (last.length > 0) yield last;
    } catch (error) {
      const finished = partsOf(error) as readonly FinishedSpeech[];
      throw withParts(
        error,
        finished.map(({ index, audio }) => ({ index, audio })),
      );
    }
  }

  /** The bytes that a part adds to the file. */
  #place({ index, read, segments }: KeptPart): Uint8Array {
    const { bytes, offset } = this.#joiner.add(read);
    for (const { text, start, end } of segments)
      this.#segments.push({ text, start: offset + start, end: offset + end, chunk_seq: index });
    return joinBytes(bytes);
  }

  async #speak(index: number, signal: AbortSignal): Promise<KeptPart> {
    const { settings } = this.#client;
    const { model = settings.model, timestamps = false, journal, headers } = this.#options;
    const text = this.parts[index] ?? '';
    const request = { ...this.#request, text };
    const key =
      journal === undefined
        ? ''
        : await keyOf({
            ...{ request, baseUrl: settings.baseUrl, model, timestamps },
            headers: { ...settings.headers, ...headers },
          });
    const stored = await journal?.read(key);
    if (stored !== undefined) {
      const part = unpack(stored);
      return { ...part, index, read: this.#read(part.audio, index) };
    }
    const { timeouts, retry, trace } = this.#options;
    const call = { model, signal, timeouts, retry, trace, headers };
    const part = await this.#send(request, call);
    try {
      const read = this.#read(part.audio, index);
      await journal?.write(key, pack(part));
      return { ...part, index, read };
    } catch (error) {
      throw withParts(error, [{ index, audio: part.audio }]);
    }
  }

  /** A doubtful part was paid for, so it is kept and a warning names it. */
  #read(audio: Uint8Array, index: number): ReadPart {
    const text = this.parts[index] ?? '';
    const part = readPart(audio, this.format, this.#request.sample_rate ?? undefined);
    const shortest = lettersOf(text) / (fastestLetters * (this.#request.prosody?.speed ?? 1));
    const name = `Part ${index + 1} of ${this.parts.length}`;
    if (part.isTruncated) this.#warnings.push(`${name} breaks off after ${part.seconds.toFixed(1)} s.`);
    else if (part.seconds < shortest)
      this.#warnings.push(
        `${name} is ${part.seconds.toFixed(1)} s of audio for ${lengthOf(text)} characters, which may not be all of it.`,
      );
    return part;
  }

  async #send(request: SpeechRequest, call: CallOptions): Promise<SpokenPart> {
    const { speech } = this.#client;
    if (!this.#options.timestamps)
      return { audio: await (await speech.create(request, call)).bytes(), segments: [] };
    const stream = await speech.streamWithTimestamps(request, call);
    const { audio, timeline } = await stream.collect();
    const segments = timeline.segments.map(({ text, start, end }) => ({ text, start, end }));
    return { audio: audio.slice(), segments };
  }
}

/** The service that speaks, and the options of every part: the values of `client.settings`, unless overridden. */
export interface SpeechService {
  readonly baseUrl: string;
  readonly model: SynthesisModel;
  readonly timestamps?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Says which parts of a long text a journal holds, so that `speakLong` would not send them. Sends nothing.
 *
 * @param parts - those of `planSpeech` for the text of the request
 */
export async function findKeptSpeech(
  journal: Pick<Journal, 'read'>,
  request: SpeechRequest,
  parts: readonly string[],
  { baseUrl, model, timestamps = false, headers }: SpeechService,
): Promise<readonly boolean[]> {
  const isKept: boolean[] = [];
  for (const text of parts) {
    const key = await keyOf({ request: { ...request, text }, baseUrl, model, timestamps, headers });
    isKept.push((await journal.read(key)) !== undefined);
  }
  return isKept;
}

/** A line of JSON with the times, then the audio. */
function pack({ audio, segments }: SpokenPart): Uint8Array<ArrayBuffer> {
  return joinBytes([new TextEncoder().encode(`${JSON.stringify(segments)}\n`), audio]);
}

function unpack(packed: Uint8Array): SpokenPart {
  const end = packed.indexOf(10);
  return {
    segments: JSON.parse(new TextDecoder().decode(packed.subarray(0, end))),
    audio: packed.slice(end + 1),
  };
}

/** The audio of one call, taken apart and counted. */
interface ReadPart {
  /** Undefined for pcm, which has no container. */
  readonly track: Track | undefined;
  readonly packets: readonly Packet[];
  /** Samples before time 0 of the part. */
  readonly skippedSamples: number;
  readonly samples: number;
  readonly seconds: number;
  readonly isTruncated: boolean;
}

/** @throws RecordingError for audio that cannot be read */
function readPart(audio: Uint8Array, format: AudioFormat, sampleRate: number | undefined): ReadPart {
  if (format === 'pcm') {
    const samples = audio.length / (bitsPerSample.pcm / 8);
    const seconds = samples / (sampleRate ?? defaultSampleRates.pcm);
    const packets = [{ bytes: audio, samples }];
    return { track: undefined, packets, skippedSamples: 0, samples, seconds, isTruncated: false };
  }
  const reader = openReader(recogniseContainer(audio));
  const packets: Packet[] = [];
  let track: Track | undefined;
  let samples = 0;
  let isTruncated = false;
  for (const event of [...reader.push(audio), ...reader.end()]) {
    if (event.type === 'packet') {
      packets.push(event.packet);
      samples += event.packet.samples;
    } else if (event.type === 'track') {
      if (track !== undefined)
        throw new RecordingError('The audio of a part is a chain of several streams.', 'damaged');
      track = event.track;
    } else if (event.type === 'track-end') ({ isTruncated } = event);
  }
  if (track === undefined) throw new RecordingError('A part has no audio.', 'damaged');
  const { skippedSamples } = track;
  const seconds = (samples - skippedSamples) / track.sampleRate;
  return { track, packets, skippedSamples, samples, seconds, isTruncated };
}

/** Joins parts of one kind to one file, and counts its samples. */
class Joiner {
  #rate: number;
  #description: string | undefined;
  #writer: JoinedWriter | undefined;
  #skippedSamples = 0;
  #samples = 0;

  constructor(format: AudioFormat, sampleRate: number | undefined) {
    this.#rate = sampleRate ?? defaultSampleRates[format];
  }

  get seconds(): number {
    return Math.max(0, this.#samples - this.#skippedSamples) / this.#rate;
  }

  /** @returns the bytes to write, and the position of the part's time 0 in the joined file */
  add(part: ReadPart): { readonly bytes: Uint8Array[]; readonly offset: number } {
    const { track } = part;
    if (track !== undefined && this.#description === undefined) {
      const joined = track.startJoined?.();
      if (joined === undefined)
        throw new RecordingError(`${track.description} cannot be joined.`, 'unsupported');
      this.#writer = joined.writer;
      this.#skippedSamples = joined.skippedSamples;
      this.#description = track.description;
      this.#rate = track.sampleRate;
    }
    if (track?.description !== this.#description)
      throw new RecordingError(
        `A part is ${track?.description} and the first one is ${this.#description}.`,
        'damaged',
      );
    const offset = (this.#samples + part.skippedSamples - this.#skippedSamples) / this.#rate;
    this.#samples += part.samples;
    const bytes = part.packets.flatMap((packet) => this.#writer?.write(packet) ?? [packet.bytes]);
    return { bytes, offset };
  }

  end(): Uint8Array[] {
    return this.#writer?.end() ?? [];
  }
}
