import { jsonAnswer, Refusal } from '@speech-api/server';
import {
  type Decoded,
  defaultTranscriptionModel,
  headerNames,
  limits,
  type Transcription,
  type TranscriptionRequest,
  type TranscriptionSegment,
  transcriptionDefaults,
  transcriptionModels,
} from '@speech-api/types';
import type { RecalledWord } from '../recall/match.ts';
import type { RecallDocument } from '../recall/recall-store.ts';
import { UnreadableAudioError } from '../uploads/sound.ts';
import type { ReadFile, Span } from '../uploads/uploads.ts';
import type { OperationContext, OperationHandler } from './context.ts';

/** The sandbox's own header, beside the interface: where the words of a transcription come from. */
export const transcriptionHeader = 'x-sandbox-transcription';

/** Seconds that encoders put around a recording of exactly the longest length. */
const encoderPadding = 0.1;
const lossless = new Set(['pcm', 'flac']);

/** `POST /v1/asr`: returns the words that are known and marks the rest of the recording. */
export const createTranscription: OperationHandler = async (context) => {
  const { call, account, recall, signal, state, traceId, uploads } = context;
  const request = { ...transcriptionDefaults, ...(call.body as Decoded<TranscriptionRequest>) };
  // Validation has turned the file into bytes, whichever way it came.
  const bytes = request.audio as Uint8Array;
  const file = await uploads.read(bytes, { signal }).catch((error: unknown) => {
    throw refusalOf(error);
  });
  checkLength(file);
  const amount = state.prices.transcription(file.duration);
  const hold = state.wallets.hold(account.user._id, amount);
  try {
    const words = await recall.wordsIn(file.frames, signal);
    const isPro = modelOf(context) === 'transcribe-1-pro';
    const { transcription, sources } = transcribe(file, words, {
      language: request.language,
      ignoreTimestamps: request.ignore_timestamps,
      tellsSpeakers: isPro && request.diarize !== false,
    });
    // The charge is made before the answer is sent, so that the caller then finds it in the wallet.
    hold.settle(amount);
    const headers = { [transcriptionHeader]: sources.join(', ') };
    if (!isPro) return jsonAnswer(200, transcription, headers);
    return jsonAnswer(200, withDetails(transcription, traceId), {
      ...headers,
      [headerNames.requestId]: traceId,
    });
  } finally {
    hold.settle(0n);
  }
};

/** Unknown models are replaced by the default model. */
function modelOf({ call }: OperationContext): (typeof transcriptionModels)[number] {
  const model = call.headers[headerNames.model];
  return transcriptionModels.find((name) => name === model) ?? defaultTranscriptionModel;
}

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Adds what only the larger model reports beside the words. */
function withDetails(transcription: Transcription, requestId: string): Transcription {
  const code = transcription.language_code;
  const language = code !== undefined && /^[a-z]{2,3}$/.test(code) ? languageNames.of(code) : undefined;
  return { ...transcription, ...(language !== undefined && { language }), request_id: requestId };
}

/** The refusal of a recording that cannot be read; any other error as it is. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof UnreadableAudioError)) return error;
  const message = `\`audio\` cannot be read: ${error.message}.`;
  return new Refusal('audio-unreadable', { message, cause: error });
}

function checkLength(file: ReadFile): void {
  const { transcriptionMinimumSeconds: least, transcriptionMaximumSeconds: most } = limits;
  if (file.duration < least) {
    const message = `\`audio\` has ${file.duration.toFixed(3)} seconds of sound; at least ${least} is needed.`;
    throw new Refusal('audio-length', { message });
  }
  const padding = lossless.has(file.codec) ? 0 : encoderPadding;
  if (file.cut || file.duration > most + padding) {
    const message = `\`audio\` is longer than ${most / 60} minutes. Split the recording.`;
    throw new Refusal('audio-length', { message });
  }
}

/** The placeholder for a voice whose words are unknown. Nothing here recognises speech. */
export const unrecognisedSpeech = '[sandbox: unrecognised speech]';
/** The placeholder for a recording that this machine could measure but not decode. */
export const undecodedAudio = '[sandbox: audio that was not decoded]';

export type TranscriptionSource = 'echo' | 'fixture' | 'placeholder';

export interface TranscriptionOptions {
  /** Pins the language of the answer. */
  readonly language?: string | undefined;
  readonly ignoreTimestamps: boolean;
  /** Whether the turns of several voices are marked. */
  readonly tellsSpeakers?: boolean;
}

export interface Transcribed {
  readonly transcription: Transcription;
  readonly sources: readonly TranscriptionSource[];
}

/** A stretch of the recording with its text. */
interface Piece extends Span {
  readonly source: TranscriptionSource;
  readonly text: string;
  readonly segments: readonly TranscriptionSegment[];
  /** The voice that says it, if the recording is a dialogue. */
  readonly voice?: string | undefined;
}

/** Seconds around known words that belong to them: breath, and the sound that rises and dies away. */
const margin = 0.3;
/** Seconds of voice beside known words that are worth a segment. */
const minimumVoiceSeconds = 0.35;

/** Combines the known words of a recording with placeholders for the voices between them. */
export function transcribe(
  file: ReadFile,
  words: readonly RecalledWord[],
  options: TranscriptionOptions,
): Transcribed {
  const recalled = runsOf(words, options.tellsSpeakers ?? false).map((run) => knownPiece(run, file.duration));
  const unknown = file.decoded
    ? unknownSpans(file.voice, recalled).map((span) => placeholder(span, unrecognisedSpeech))
    : [placeholder({ start: 0, end: file.duration }, undecodedAudio)];
  const pieces = [...recalled, ...unknown].sort((first, second) => first.start - second.start);
  const language = options.language ?? usualLanguage(words);
  const sources = [...new Set(pieces.map(({ source }) => source))];
  const turns = options.tellsSpeakers ? turnsOf(pieces) : undefined;
  return {
    transcription: {
      text: joinTexts(turns?.marked ?? pieces),
      duration: milliseconds(file.duration),
      segments: options.ignoreTimestamps ? [] : pieces.flatMap(({ segments }) => segments),
      ...(language === undefined ? {} : { language_code: language }),
      ...(turns && !options.ignoreTimestamps && { speaker_turns: turns.spoken }),
    },
    // If no source contributed, nothing was recognised either.
    sources: sources.length > 0 ? sources : ['placeholder'],
  };
}

/** True if two words follow each other in one document and, with `byVoice`, have the same voice. */
function runsOf(words: readonly RecalledWord[], byVoice: boolean): RecalledWord[][] {
  const runs: RecalledWord[][] = [];
  for (const word of words) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const follows = last?.document === word.document && last.index + 1 === word.index;
    const isTurn = byVoice && last !== undefined && voiceOf(last) !== voiceOf(word);
    if (run && follows && !isTurn && word.start - last.end < 2) run.push(word);
    else runs.push([word]);
  }
  return runs;
}

function voiceOf({ document, index }: RecalledWord): string | undefined {
  return document.words[index]?.voice;
}

type Turn = NonNullable<Transcription['speaker_turns']>[number];

/** Puts what one voice says together and numbers the voices as they come; `undefined` for fewer than two. */
function turnsOf(
  pieces: readonly Piece[],
): { readonly marked: readonly { readonly text: string }[]; readonly spoken: Turn[] } | undefined {
  const voices = [...new Set(pieces.flatMap(({ voice }) => voice ?? []))];
  if (voices.length < 2) return undefined;
  const turns: Piece[] = [];
  for (const piece of pieces) {
    const last = turns.at(-1);
    if (last === undefined || piece.voice === undefined || last.voice !== piece.voice) turns.push(piece);
    else turns.splice(-1, 1, { ...last, text: joinTexts([last, piece]), end: piece.end });
  }
  const speakerOf = (voice: string): string => `speaker:${voices.indexOf(voice)}`;
  return {
    marked: turns.map(({ voice, text }) => ({
      text: voice === undefined ? text : `<|${speakerOf(voice)}|>${text}`,
    })),
    spoken: turns.flatMap(({ voice, text, start, end }) =>
      voice === undefined
        ? []
        : { speaker: speakerOf(voice), text, start: milliseconds(start), end: milliseconds(end) },
    ),
  };
}

function knownPiece(run: readonly RecalledWord[], duration: number): Piece {
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) throw new RangeError('A run must have at least one word.');
  const inside = (seconds: number): number => milliseconds(Math.min(duration, Math.max(0, seconds)));
  return {
    source: first.document.origin,
    text: textOf(first.document, first.index, last.index),
    voice: voiceOf(first),
    start: first.start,
    end: last.end,
    segments: run.map((word) => ({
      text: word.document.words[word.index]?.text ?? '',
      start: inside(word.start),
      end: inside(word.end),
    })),
  };
}

function unknownSpans(voice: readonly Span[], spans: readonly Span[]): Span[] {
  let rest = [...voice];
  for (const { start, end } of spans) {
    rest = rest.flatMap((span) => [
      { start: span.start, end: Math.min(span.end, start - margin) },
      { start: Math.max(span.start, end + margin), end: span.end },
    ]);
    rest = rest.filter((span) => span.end > span.start);
  }
  const whole = new Set(voice);
  return rest.filter((span) => whole.has(span) || span.end - span.start >= minimumVoiceSeconds);
}

function placeholder({ start, end }: Span, text: string): Piece {
  const segment = { text, start: milliseconds(start), end: milliseconds(end) };
  return { source: 'placeholder', text, start, end, segments: [segment] };
}

/** Neighbouring placeholders are written once. */
function joinTexts(pieces: readonly Pick<Piece, 'text'>[]): string {
  const texts = pieces.map(({ text }) => text);
  return texts
    .filter((text, index) => text !== unrecognisedSpeech || texts[index - 1] !== text)
    .reduce((joined, text) => (joined === '' ? text : joined + separator(joined, text) + text), '');
}

/** Scripts without spaces between words have none between sentences. */
function separator(before: string, after: string): string {
  const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;
  return spaceless.test(before.slice(-1)) && spaceless.test(after.slice(0, 1)) ? '' : ' ';
}

function usualLanguage(words: readonly RecalledWord[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { document } of words) {
    if (document.language) counts.set(document.language, (counts.get(document.language) ?? 0) + 1);
  }
  return [...counts].sort(([, first], [, second]) => second - first)[0]?.[0];
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/**
 * The part of a document's text with a range of its words, and the punctuation between and after them.
 *
 * @param first index of the first word
 * @param last index of the last one
 */
export function textOf({ text, words }: RecallDocument, first: number, last: number): string {
  const starts: number[] = [];
  let from = 0;
  for (const word of words) {
    const start = text.indexOf(word.text, from);
    // If words are spelt differently in the text, they are written on their own.
    if (start < 0) {
      return words
        .slice(first, last + 1)
        .map((piece) => piece.text)
        .join(' ');
    }
    starts.push(start);
    from = start + word.text.length;
  }
  const start = first === 0 ? 0 : starts[first];
  const end = starts[last + 1] ?? text.length;
  // Opening punctuation before the next word belongs to that word.
  return text
    .slice(start, end)
    .replace(/[\s\p{Ps}\p{Pi}]+$/u, '')
    .trim();
}
