import type { CallOptions, SpeechClient } from '@speech-api/client';
import type { Transcription } from '@speech-api/types';
import { cutRecording } from './cut-recording.ts';
import type { CutOptions, RecordingPart } from './cutter.ts';
import { hexDigest } from './digest.ts';
import { type CutSource, openSource, readStream, type SeekableSource } from './source.ts';
import { type PartTranscript, placeTranscript, stitch } from './stitch.ts';
import { RecordingTranscript } from './transcript.ts';

/** A recording: a `Blob` or `File`, its bytes, a stream, a fetched `Response`, or pieces of bytes. */
export type RecordingSource =
  | Blob
  | Uint8Array
  | ArrayBuffer
  | Response
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** Where finished parts are kept, so that a run that was stopped goes on without paying for them again. */
export interface Journal {
  /** What was kept under this key. */
  read(key: string): Promise<Uint8Array | undefined>;
  /** Keeps a finished part; it must be there when this resolves. */
  write(key: string, part: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** How far a transcription is. */
export interface RecordingProgress {
  /** Parts that are finished, and parts that were cut so far. */
  readonly finishedParts: number;
  readonly cutParts: number;
  /** Parts that came out of the journal. */
  readonly keptParts: number;
  /** Seconds of the recording that are finished. */
  readonly seconds: number;
  /** Bytes of the recording that were read. */
  readonly bytes: number;
  /** Bytes of the whole recording, where they are known. */
  readonly totalBytes: number | undefined;
}

/** How a recording is transcribed. */
export interface TranscribeRecordingOptions extends CutOptions, CallOptions {
  /** ISO code of the language; without it, the one that the service names for the first part is kept for the rest. */
  readonly language?: string | undefined;
  /** Parts that are sent side by side, within the client's own limit. @defaultValue 4 */
  readonly jobs?: number | undefined;
  readonly journal?: Journal | undefined;
  readonly onProgress?: ((progress: RecordingProgress) => void) | undefined;
  /** Each part in order of time, as soon as it and all before it are finished. */
  readonly onPart?: ((part: PartTranscript) => void) | undefined;
  /** Cuts in place of `cutRecording`; in Node, `@speech-api/recordings/node` cuts in a worker. */
  readonly cut?: typeof cutRecording | undefined;
}

/** What a transcription would take. */
export interface RecordingPlan {
  readonly description: string;
  readonly parts: readonly Omit<RecordingPart, 'bytes'>[];
  /** Undefined for a recording that is sent as it is. */
  readonly seconds: number | undefined;
  readonly requests: number;
  readonly bytesSent: number;
  /** Seconds that are sent twice, because there is no pause near the limit. */
  readonly overlapSeconds: number;
}

/**
 * Says what a transcription of this recording would take, and sends nothing.
 *
 * @example
 * ```ts
 * import { planRecording } from '@speech-api/recordings';
 * import { openRecording } from '@speech-api/recordings/node';
 *
 * const { requests, seconds, overlapSeconds } = await planRecording(await openRecording('lecture.mp3'));
 * console.log(requests, seconds, overlapSeconds);
 * ```
 */
export async function planRecording(
  source: RecordingSource,
  options: CutOptions & Pick<TranscribeRecordingOptions, 'cut'> = {},
): Promise<RecordingPlan> {
  const parts: Omit<RecordingPart, 'bytes'>[] = [];
  let bytesSent = 0;
  for await (const { bytes, ...part } of (options.cut ?? cutRecording)(cutSourceOf(source), options)) {
    parts.push(part);
    bytesSent += bytes.length;
  }
  return {
    description: parts[0]?.description ?? '',
    parts,
    seconds: parts.at(-1)?.end,
    requests: parts.length,
    bytesSent,
    overlapSeconds: parts.reduce((sum, { overlap }) => sum + overlap, 0),
  };
}

/**
 * Transcribes a recording of any length: cuts it, sends the parts side by side and puts their words together.
 *
 * Each part is sent once, like every POST. When one fails, the others are stopped; with a `journal`, the same call goes
 * on from there.
 *
 * @throws RecordingError for what cannot be cut, and what `client.transcriptions.create` throws.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 * import { transcribeRecording } from '@speech-api/recordings';
 * import { cutInWorker, openJournal, openRecording } from '@speech-api/recordings/node';
 *
 * const recording = await openRecording('lecture.mp3');
 * await using journal = await openJournal('lecture.parts');
 * const transcript = await transcribeRecording(createSpeechClient(), recording, { journal, cut: cutInWorker() });
 * console.log(transcript.text, transcript.toVtt());
 * ```
 */
export async function transcribeRecording(
  client: SpeechClient,
  source: RecordingSource,
  options: TranscribeRecordingOptions = {},
): Promise<RecordingTranscript> {
  const { cut = cutRecording, journal, onPart, jobs = 4 } = options;
  if (!(Number.isInteger(jobs) && jobs >= 1))
    throw new RangeError(`jobs is ${jobs}; use a whole number from 1`);
  const limit = Math.min(jobs, client.settings.concurrency);
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const progress = countProgress(source, options);
  const finished: (PartTranscript | undefined)[] = [];
  const running = new Set<Promise<void>>();
  let given = 0;
  let failure: { error: unknown } | undefined;
  let language = options.language;

  const transcribePart = async (part: RecordingPart): Promise<void> => {
    const key = journal === undefined ? '' : await keyOf(part.bytes, language);
    const kept = readKept(await journal?.read(key));
    const transcription =
      kept ?? (await send(client, fileOf(part, source), language, { ...options, signal }));
    if (kept === undefined)
      await journal?.write(key, new TextEncoder().encode(JSON.stringify(transcription)));
    if (part.index === 0) language ??= languageOf(transcription);
    const placed = placeTranscript(transcription, { ...part, end: part.end ?? transcription.duration });
    finished[part.index] = placed;
    progress.finish(placed, kept !== undefined);
    for (let next = finished[given]; next !== undefined; next = finished[given]) {
      given += 1;
      onPart?.(next);
    }
  };
  const start = (part: RecordingPart): void => {
    const job: Promise<void> = transcribePart(part)
      .catch((error: unknown) => {
        // Only what failed first tells why; the others were stopped for it.
        failure ??= { error };
        stop.abort(error);
      })
      .finally(() => running.delete(job));
    running.add(job);
  };

  try {
    for await (const part of cut(progress.counted(cutSourceOf(source)), options)) {
      signal.throwIfAborted();
      progress.cut();
      start(part);
      // The first part may tell the language of the rest.
      while (running.size >= (part.index === 0 && language === undefined ? 1 : limit))
        await Promise.race(running);
      if (failure !== undefined) break;
    }
  } catch (error) {
    failure ??= { error };
    stop.abort(error);
  }
  await Promise.all(running);
  if (failure !== undefined) throw failure.error;
  const parts = finished.filter((part) => part !== undefined);
  return new RecordingTranscript({ ...stitch(parts), duration: parts.at(-1)?.end ?? 0 }, language);
}

async function send(
  client: SpeechClient,
  audio: File,
  language: string | undefined,
  { signal, timeouts, retry, trace, headers }: TranscribeRecordingOptions,
): Promise<Transcription> {
  const request = { audio, ignore_timestamps: false, ...(language === undefined ? {} : { language }) };
  return client.transcriptions.create(request, { signal, timeouts, retry, trace, headers });
}

/** A recording that is sent as it is keeps its name, by which a service may know its container. */
function fileOf(part: RecordingPart, source: RecordingSource): File {
  const isWhole = part.end === undefined && source instanceof File;
  const { name, type } = isWhole ? source : { name: part.name, type: part.mediaType };
  return new File([part.bytes], name, { type });
}

/** Everything that changes the answer: the bytes of the part and the language it is sent with. */
async function keyOf(bytes: Uint8Array<ArrayBuffer>, language: string | undefined): Promise<string> {
  const options = JSON.stringify({ version: 1, language: language ?? null });
  return hexDigest([bytes, new TextEncoder().encode(options)]);
}

/** @returns undefined for what cannot be used: the part is then sent again */
function readKept(bytes: Uint8Array | undefined): Transcription | undefined {
  if (bytes === undefined) return undefined;
  try {
    const kept = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Transcription> | null;
    const isWhole = typeof kept?.text === 'string' && Array.isArray(kept.segments);
    return isWhole ? (kept as Transcription) : undefined;
  } catch {
    return undefined;
  }
}

/** Services may name the language they heard, in a field beyond the interface. */
function languageOf(transcription: Transcription): string | undefined {
  const { language_code: code } = transcription as Transcription & { readonly language_code?: unknown };
  return typeof code === 'string' && code !== '' ? code : undefined;
}

function countProgress(source: RecordingSource, { onProgress }: TranscribeRecordingOptions) {
  let [finishedParts, cutParts, keptParts, seconds, bytes] = [0, 0, 0, 0, 0];
  const totalBytes = sizeOf(source);
  const tell = (): void => onProgress?.({ finishedParts, cutParts, keptParts, seconds, bytes, totalBytes });
  return {
    counted(whole: Exclude<CutSource, Blob>): CutSource {
      const pieces = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
        for await (const piece of whole) {
          bytes += piece.length;
          yield piece;
        }
      };
      if (!('read' in whole)) return pieces();
      // Read at many places, it is as far as the last of them.
      const read = (start: number, end: number): Promise<Uint8Array> => {
        bytes = end;
        return whole.read(start, end);
      };
      return { size: whole.size, read, [Symbol.asyncIterator]: pieces };
    },
    cut() {
      cutParts += 1;
      tell();
    },
    finish(part: PartTranscript, wasKept: boolean) {
      finishedParts += 1;
      if (wasKept) keptParts += 1;
      seconds += part.end - part.start - part.overlap;
      tell();
    },
  };
}

function sizeOf(source: RecordingSource): number | undefined {
  if (source instanceof Blob) return source.size;
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return source.byteLength;
  const length = source instanceof Response ? source.headers.get('content-length') : null;
  return length === null ? undefined : Number(length);
}

/** A file is read at any place, all others from their start to their end. */
function cutSourceOf(source: RecordingSource): Exclude<CutSource, Blob> {
  if (source instanceof Blob) return openSource(source);
  if (source instanceof Uint8Array) return seekableBytes(source);
  if (source instanceof ArrayBuffer) return seekableBytes(new Uint8Array(source));
  if (source instanceof Response) {
    if (!source.ok) throw new TypeError(`the fetched recording is an error: HTTP ${source.status}`);
    return source.body === null ? [] : readStream(source.body);
  }
  return 'getReader' in source ? readStream(source) : source;
}

function seekableBytes(bytes: Uint8Array): SeekableSource {
  return {
    size: bytes.length,
    read: async (start, end) => bytes.subarray(start, end),
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
}
