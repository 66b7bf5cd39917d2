import { AudioFormatError } from '@speech-api/audio';
import type { PartTranscript } from './stitch.ts';

/**
 * The reason why a recording cannot be transcribed:
 *
 * - `unsupported`: a container or codec that cannot be cut here; the message says what would work.
 * - `damaged`: the bytes break off or contradict themselves, so that times after it would be guesses.
 * - `too-short`: less than the service accepts.
 * - `busy`: another run uses the same journal.
 */
export type RecordingErrorKind = 'unsupported' | 'damaged' | 'too-short' | 'busy';

/** A part that was paid for before the job failed. */
export type FinishedPart = PartTranscript | FinishedSpeech;

/** A part of a long text that was spoken before the job failed, but not returned. */
export interface FinishedSpeech {
  /** Index of the call. */
  readonly index: number;
  readonly audio: Uint8Array<ArrayBuffer>;
}

/** Puts the finished parts on the error of a job; an error that cannot be extended stays unchanged. */
export function withParts(error: unknown, parts: readonly FinishedPart[]): unknown {
  if (typeof error === 'object' && error !== null && Object.isExtensible(error))
    Object.defineProperty(error, 'parts', { value: parts, configurable: true });
  return error;
}

/**
 * The parts that were finished, and billed, before `transcribeRecording` or `speakLong` failed: those of `error.parts`.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 * import { partsOf, transcribeRecording } from '@speech-api/recordings';
 *
 * const recording = new Uint8Array(32_044);
 * await transcribeRecording(createSpeechClient(), recording).catch((error) => {
 *   for (const part of partsOf(error)) console.log(part.index, part);
 * });
 * ```
 */
export function partsOf(error: unknown): readonly FinishedPart[] {
  const { parts } = (error ?? {}) as { readonly parts?: unknown };
  return Array.isArray(parts) ? parts : [];
}

/** A recording that cannot be cut, or whose times would be wrong. Parts that were already sent are paid for. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly kind: RecordingErrorKind;

  constructor(message: string, kind: RecordingErrorKind) {
    super(message);
    this.kind = kind;
  }

  /** Works across copies of this package, where `instanceof` does not. */
  static isInstance(value: unknown): value is RecordingError {
    return Object(value).name === 'RecordingError';
  }
}

/** Silence replaces missing packets, and the time before the first one. */
const conversion = 'ffmpeg -i IN -vn -af aresample=async=1:first_pts=0 -c:a libopus -b:a 32k out.ogg';

/** @param file - such as `flac file` */
export function damaged(file: string, what: string): RecordingError {
  return new RecordingError(
    `This ${file} is damaged: ${what}. Copy it again, or convert it: ${conversion}`,
    'damaged',
  );
}

/** For MPEG-TS, whose sound ffmpeg would move to the start if the picture was left out. */
export const conversionOfBroadcast =
  'ffmpeg -i IN -map 0:v? -map 0:a:0 -c:v copy -c:a libopus -b:a 32k out.mkv';

/** @param what - the kind of file, such as `an Ogg file of Speex` */
export function unsupported(what: string, advice = conversion): RecordingError {
  return new RecordingError(
    `This is ${what}, which cannot be cut here. Convert it: ${advice}`,
    'unsupported',
  );
}

/** The error of a reader in the words of this package; any other error stays as it is. */
export function asRecordingError(error: unknown): unknown {
  if (!AudioFormatError.isInstance(error)) return error;
  const { kind, message } = error;
  if (kind === 'unsupported')
    return new RecordingError(`${message} It cannot be cut here. Convert it: ${conversion}`, kind);
  const advice =
    kind === 'incomplete' ? ': without it no program can read the sound' : `, or convert it: ${conversion}`;
  return new RecordingError(`${message} Copy it again${advice}`, 'damaged');
}
