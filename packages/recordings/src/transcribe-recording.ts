import type { CallOptions, SpeechClient, TranscriptionOptions } from '@speech-api/client';
import type { Transcription, TranscriptionRequest } from '@speech-api/types';
import { limits, mediaTypes } from '@speech-api/types/constants';
import { cutRecording } from './cut-recording.ts';
import type { CutHooks, CutOptions, RecordingPart } from './cutter.ts';
import { partsOf, withParts } from './errors.ts';
import { keyOf } from './journal-key.ts';
import { type JobPool, poolOf, runParts } from './run-parts.ts';
import { labelOf, type RecordingSource, sizeOf } from './source.ts';
import { type PartTranscript, placeTranscript, stitch } from './stitch.ts';
import { RecordingTranscript } from './transcript.ts';

/** Storage for finished parts, so that a run that was stopped can resume without paying for them again. */
export interface Journal {
  /** The part kept under this key; undefined if there is none. */
  read(key: string): Promise<Uint8Array | undefined>;
  /** Keeps a finished part; it must be there when this resolves. */
  write(key: string, part: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** Progress of a transcription. */
export interface RecordingProgress {
  /** Parts that are finished, and parts that were cut so far. */
  readonly finishedParts: number;
  readonly cutParts: number;
  /** Seconds of the recording that are finished. */
  readonly seconds: number;
  /** Bytes of the recording that were read. */
  readonly bytes: number;
  /** Bytes of the whole recording, where they are known. */
  readonly totalBytes: number | undefined;
}

/** The options of each part. If no language is set, the language that the service names for the first part is used for the rest. */
export interface PartRequest
  extends Omit<TranscriptionRequest, 'audio' | 'ignore_timestamps'>,
    Pick<TranscriptionOptions, 'model' | 'extra' | 'headers'> {}

/** Options for transcribing a recording. */
export interface TranscribeRecordingOptions extends CutOptions, CallOptions, PartRequest {
  /** Maximum number of concurrent calls, within the client's own limit, or a pool of them that recordings share. @defaultValue 3 */
  readonly jobs?: number | JobPool | undefined;
  readonly journal?: Journal | undefined;
  readonly onProgress?: ((progress: RecordingProgress) => void) | undefined;
  /** Called before anything is sent with what a person should know: there are other tracks, or the service may refuse the file. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** Called with each part in order, as soon as it and all earlier parts are finished. */
  readonly onPart?: ((part: PartTranscript) => void) | undefined;
}

type Place = Omit<RecordingPart, 'bytes'>;

/** Options for a plan. With a journal, `baseUrl` is that of `client.settings`: each service has parts of its own. */
export type PlanRecordingOptions = CutOptions &
  PartRequest &
  ({ readonly journal?: undefined } | { readonly journal: Pick<Journal, 'read'>; readonly baseUrl: string });

/** The parts, requests and bytes that a transcription would take. */
export interface RecordingPlan {
  readonly description: string;
  /** What a person should know before the recording is sent: there are other tracks, or the service may refuse the file. */
  readonly note: string | undefined;
  readonly parts: readonly Place[];
  /** Undefined for a recording that is sent as it is. */
  readonly seconds: number | undefined;
  /** Parts that the journal does not hold. */
  readonly requests: number;
  readonly keptParts: number;
  /** Bytes and seconds of the parts to send. */
  readonly bytesSent: number;
  readonly secondsSent: number;
  /** Seconds that are sent twice, because there is no pause near the limit. */
  readonly overlapSeconds: number;
  /** The command that converts a recording of several parts to one, if it fits: speaker numbers start anew in each part. */
  readonly conversionToOne: string | undefined;
}

/** At this bitrate, an hour takes 14 MB. */
const conversionToOne = 'ffmpeg -i IN -vn -ac 1 -c:a libopus -b:a 32k out.ogg';

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
  options: PlanRecordingOptions = {},
): Promise<RecordingPlan> {
  const parts: Place[] = [];
  const sent: Place[] = [];
  let bytesSent = 0;
  let { language } = options;
  let spare: Uint8Array<ArrayBuffer> | undefined;
  const hooks: CutHooks = { memory: () => spare };
  const cut = cutRecording(source, { ...options, ...hooks });
  for await (const { bytes, ...part } of cut) {
    parts.push(part);
    const stored =
      options.journal &&
      readKept(
        await options.journal.read(
          await keyOf(partRequest(bytes, options.baseUrl, { ...options, language })),
        ),
      );
    if (stored === undefined) {
      sent.push(part);
      bytesSent += bytes.length;
    } else if (part.index === 0) language ??= languageOf(stored);
    spare = new Uint8Array(bytes.buffer);
  }
  const seconds = parts.at(-1)?.end ?? 0;
  const fitsInOne = parts.length > 1 && seconds <= limits.transcriptionMaximumSeconds;
  return {
    description: parts[0]?.description ?? '',
    note: parts[0]?.note,
    parts,
    seconds: parts.at(-1)?.end,
    conversionToOne: fitsInOne ? conversionToOne : undefined,
    requests: sent.length,
    keptParts: parts.length - sent.length,
    bytesSent,
    secondsSent: sent.reduce((sum, { start, end = start }) => sum + end - start, 0),
    overlapSeconds: sent.reduce((sum, { overlap }) => sum + overlap, 0),
  };
}

/**
 * Transcribes a recording of any length: cuts it, sends the parts side by side and puts their words together.
 *
 * Each part is sent once, like every POST. When one fails, nothing new is sent, and those under way finish. The finished parts
 * are on `error.parts`; with a `journal`, the same call sends only what is missing.
 *
 * @throws RecordingError for what cannot be cut, and what `client.transcriptions.create` throws.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 * import { transcribeRecording } from '@speech-api/recordings';
 * import { openJournal, openRecording } from '@speech-api/recordings/node';
 *
 * const recording = await openRecording('lecture.mp3');
 * await using journal = await openJournal('lecture.parts');
 * const transcript = await transcribeRecording(createSpeechClient(), recording, { journal });
 * console.log(transcript.text, transcript.toVtt());
 * ```
 */
export async function transcribeRecording(
  client: SpeechClient,
  source: RecordingSource,
  options: TranscribeRecordingOptions = {},
): Promise<RecordingTranscript> {
  const { journal, onPart, onProgress, jobs = 3, maximumBytes = limits.transcriptionFileBytesSent } = options;
  const pool = poolOf(client, jobs);
  const progress = { finishedParts: 0, cutParts: 0, seconds: 0, bytes: 0 };
  const totalBytes = sizeOf(source);
  const report = (): void => onProgress?.({ ...progress, totalBytes });
  // Memory of finished parts for reuse; garbage of this size would pile up.
  const spare: Uint8Array<ArrayBuffer>[] = [];
  let language = options.language;
  let first: Promise<unknown> | undefined;

  const transcribePart = async (part: RecordingPart, signal: AbortSignal): Promise<PartTranscript> => {
    progress.cutParts += 1;
    report();
    if (part.note !== undefined) options.onNote?.(part.note);
    // The first part may determine the language of the rest.
    if (language === undefined) await first;
    const request = { ...options, language, headers: { ...client.settings.headers, ...options.headers } };
    const key =
      journal === undefined ? '' : await keyOf(partRequest(part.bytes, client.settings.baseUrl, request));
    const stored = readKept(await journal?.read(key));
    const transcription = stored ?? (await send(client, part, source, language, { ...options, signal }));
    if (part.bytes.buffer.byteLength >= maximumBytes) spare.push(new Uint8Array(part.bytes.buffer));
    if (part.index === 0) language ??= languageOf(transcription);
    const placed = placeTranscript(transcription, { ...part, end: part.end ?? transcription.duration });
    try {
      if (stored === undefined)
        await journal?.write(key, new TextEncoder().encode(JSON.stringify(transcription)));
    } catch (error) {
      throw withParts(error, [placed]);
    }
    progress.finishedParts += 1;
    progress.seconds += placed.end - placed.start - placed.overlap;
    report();
    return placed;
  };

  const onRead = (bytes: number): void => {
    progress.bytes = bytes;
  };
  const hooks: CutHooks = { onRead, memory: () => spare.pop() };
  const parts: PartTranscript[] = [];
  try {
    const cutParts = (signal: AbortSignal) => cutRecording(source, { ...options, ...hooks, signal });
    const finished = runParts(cutParts, pool, options.signal, (part, signal) => {
      const transcribed = transcribePart(part, signal);
      first ??= transcribed;
      return transcribed;
    });
    for await (const part of finished) {
      parts.push(part);
      onPart?.(part);
    }
  } catch (error) {
    throw withParts(error, [...parts, ...partsOf(error)]);
  }
  const { text, segments, turns, hasTimes } = stitch(parts);
  const duration = parts.at(-1)?.end ?? 0;
  const json = { text, duration, segments, speaker_turns: turns };
  return new RecordingTranscript(
    language === undefined ? json : { ...json, language_code: language },
    hasTimes,
  );
}

/**
 * Sends a part. If the runtime streams uploads, it goes out of its own memory, as MessagePack; a form would
 * need a copy. A recording that is sent as it is keeps its name, by which a service may know its container.
 */
async function send(
  client: SpeechClient,
  part: RecordingPart,
  source: RecordingSource,
  language: string | undefined,
  options: TranscribeRecordingOptions,
): Promise<Transcription> {
  const isWhole = part.end === undefined;
  const isStreamed = client.settings.streamsUploads && !isWhole;
  const { name = part.name, type = part.mediaType } = isWhole ? labelOf(source) : {};
  const audio = isStreamed ? part.bytes : new File([part.bytes], name, { type });
  const request = { ...fieldsOf({ ...options, language }), audio, ignore_timestamps: false };
  const contentType = isStreamed ? mediaTypes.msgpack : mediaTypes.multipart;
  const { signal, timeouts, retry, trace, headers, model, extra } = options;
  const call = { contentType, signal, timeouts, retry, trace, headers, model, extra };
  return client.transcriptions.create(request, call);
}

function fieldsOf(request: PartRequest): Omit<TranscriptionRequest, 'audio'> {
  const { language, tag_audio_events, diarize, num_speakers, min_speakers, max_speakers } = request;
  return { language, tag_audio_events, diarize, num_speakers, min_speakers, max_speakers };
}

/** Everything that changes the answer to a part. */
const partRequest = (audio: Uint8Array, baseUrl: string, request: PartRequest) => {
  const { model, extra, headers } = request;
  return { audio, baseUrl, ...fieldsOf(request), model, extra, headers };
};

const readKept = (bytes: Uint8Array | undefined): Transcription | undefined =>
  bytes && JSON.parse(new TextDecoder().decode(bytes));

/** The language of a transcription, if the service names one. */
function languageOf(transcription: Transcription): string | undefined {
  return transcription.language_code || undefined;
}
