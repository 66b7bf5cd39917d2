import type { Transcription, TranscriptionSegment } from '@speech-api/types';
import type { RecalledWord } from './recall/match.ts';
import type { RecallDocument } from './recall/recall-store.ts';
import type { ReadFile, Span } from './uploads/uploads.ts';

/** Stands for a voice whose words are not known. Never words: nothing here recognises any. */
export const unrecognisedSpeech = '[sandbox: unrecognised speech]';
/** Stands for a recording that this machine could measure and not decode. */
export const undecodedAudio = '[sandbox: audio that was not decoded]';

/** Source of a transcription. */
export type TranscriptionSource = 'echo' | 'fixture' | 'placeholder';

export interface TranscriptionOptions {
  /** Pins the language of the answer. */
  readonly language?: string | undefined;
  readonly ignoreTimestamps: boolean;
}

export interface Transcribed {
  readonly transcription: Transcription;
  readonly sources: readonly TranscriptionSource[];
}

/** A note about the recording, where it belongs. */
interface Piece extends Span {
  readonly source: TranscriptionSource;
  readonly text: string;
  readonly segments: readonly TranscriptionSegment[];
}

/** Seconds around known words that belong to them: breath, and the sound that rises and dies away. */
const margin = 0.3;
/** Seconds of voice beside known words that are worth a segment. */
const leastVoice = 0.35;

/** Puts together what is known of a recording: known words, and in between them that there is a voice. */
export function transcribe(
  file: ReadFile,
  words: readonly RecalledWord[],
  options: TranscriptionOptions,
): Transcribed {
  const known = runsOf(words).map((run) => knownPiece(run, file.duration));
  const unknown = file.decoded
    ? unknownSpans(file.voice, known).map((span) => placeholder(span, unrecognisedSpeech))
    : [placeholder({ start: 0, end: file.duration }, undecodedAudio)];
  const pieces = [...known, ...unknown].sort((one, other) => one.start - other.start);
  const language = options.language ?? usualLanguage(words);
  const sources = [...new Set(pieces.map(({ source }) => source))];
  return {
    transcription: {
      text: joinTexts(pieces),
      duration: milliseconds(file.duration),
      segments: options.ignoreTimestamps ? [] : pieces.flatMap(({ segments }) => segments),
      ...(language === undefined ? {} : { language_code: language }),
    },
    // If no source contributed, nothing was recognised either.
    sources: sources.length > 0 ? sources : ['placeholder'],
  };
}

/** Words that follow each other in one document, too. */
function runsOf(words: readonly RecalledWord[]): RecalledWord[][] {
  const runs: RecalledWord[][] = [];
  for (const word of words) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const follows = last?.document === word.document && last.index + 1 === word.index;
    if (run && follows && word.start - last.end < 2) run.push(word);
    else runs.push([word]);
  }
  return runs;
}

function knownPiece(run: readonly RecalledWord[], duration: number): Piece {
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) throw new RangeError('A run must have at least one word.');
  const inside = (seconds: number): number => milliseconds(Math.min(duration, Math.max(0, seconds)));
  return {
    source: first.document.origin,
    text: textOf(first.document, first.index, last.index),
    start: first.start,
    end: last.end,
    segments: run.map((word) => ({
      text: word.document.words[word.index]?.text ?? '',
      start: inside(word.start),
      end: inside(word.end),
    })),
  };
}

function unknownSpans(voice: readonly Span[], known: readonly Span[]): Span[] {
  let rest = [...voice];
  for (const { start, end } of known) {
    rest = rest.flatMap((span) => [
      { start: span.start, end: Math.min(span.end, start - margin) },
      { start: Math.max(span.start, end + margin), end: span.end },
    ]);
    rest = rest.filter((span) => span.end > span.start);
  }
  const whole = new Set(voice);
  return rest.filter((span) => whole.has(span) || span.end - span.start >= leastVoice);
}

function placeholder({ start, end }: Span, text: string): Piece {
  const segment = { text, start: milliseconds(start), end: milliseconds(end) };
  return { source: 'placeholder', text, start, end, segments: [segment] };
}

/** Placeholders next to each other are said once. */
function joinTexts(pieces: readonly Piece[]): string {
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
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
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
        .map((each) => each.text)
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
