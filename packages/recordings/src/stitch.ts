import { type SpokenTurn, speakersOf } from '@speech-api/client';
import type { Transcription, TranscriptionSegment } from '@speech-api/types';

/**
 * The words of one speaker without a break, in seconds of the whole recording. Speaker numbers are valid within one
 * part: those of the next part are other people.
 */
export interface PartTurn extends SpokenTurn {
  /** Index of the part. */
  readonly part: number;
}

/** Transcript of one part, with its segments in seconds of the whole recording. */
export interface PartTranscript {
  readonly index: number;
  /** The text without speaker marks. */
  readonly text: string;
  /** Empty if the service found no times. */
  readonly segments: readonly TranscriptionSegment[];
  readonly turns: readonly PartTurn[];
  /** Seconds of the recording that this part covers. */
  readonly start: number;
  readonly end: number;
  /** Seconds at its start that it shares with the part before. */
  readonly overlap: number;
}

/** Moves the times of a part to their place in the recording. */
export function placeTranscript(
  transcription: Transcription,
  part: { index: number; offset: number; start: number; end: number; overlap: number },
): PartTranscript {
  const { index, offset, start, end, overlap } = part;
  const inside = (seconds: number): number => Math.min(end, Math.max(0, seconds + offset));
  const segments = transcription.segments.map((segment) => ({
    ...segment,
    start: inside(segment.start),
    end: Math.max(inside(segment.start), inside(segment.end)),
  }));
  const turns = speakersOf(transcription).map(({ speaker, text }) => ({ part: index, speaker, text }));
  const text = transcription.text.replaceAll(/\s*<\|speaker:\d+\|>\s*/g, ' ').trim();
  return { index, text, segments, turns, start, end, overlap };
}

/** Joins the parts to one transcript. Each joint has one cut, which both sides, the turns and the text use. */
export function stitch(parts: readonly PartTranscript[]): {
  text: string;
  segments: TranscriptionSegment[];
  turns: PartTurn[];
  hasTimes: boolean;
} {
  const words = parts.map((part) => (hasTimes(part) ? part.segments : estimated(part)));
  const first = parts.map(({ start }, index) => firstAfter(words[index] ?? [], start));
  const last = words.map(({ length }) => length);
  for (let index = 1; index < parts.length; index++) {
    const [left, right] = [parts[index - 1], parts[index]];
    const [leftWords = [], rightWords = []] = [words[index - 1], words[index]];
    if (left === undefined || right === undefined) continue;
    if (right.overlap > 0) {
      // Estimated words may be at other times.
      const margin = hasTimes(left) && hasTimes(right) ? 0 : right.overlap;
      const cut = cutBetween(leftWords, rightWords, right.start - margin, left.end + margin, margin);
      last[index - 1] = cut.left;
      first[index] = cut.right;
    } else {
      last[index - 1] = firstAfter(leftWords, right.start);
    }
  }
  const texts: string[] = [];
  const segments: TranscriptionSegment[] = [];
  const turns: PartTurn[] = [];
  let latest = 0;
  for (const [index, part] of parts.entries()) {
    const from = first[index] ?? 0;
    const to = Math.max(from, last[index] ?? 0);
    const all = words[index] ?? [];
    texts.push(keptText(part.text, all, from, to));
    turns.push(...keptTurns(part, all, from, to));
    if (!hasTimes(part)) continue;
    for (const segment of all.slice(from, to)) {
      latest = Math.max(latest, segment.start);
      segments.push({ ...segment, start: latest, end: Math.max(latest, segment.end) });
    }
  }
  return { text: joinTexts(texts), segments, turns, hasTimes: parts.every(hasTimes) };
}

function hasTimes({ segments, text }: PartTranscript): boolean {
  return segments.length > 0 || normalised(text) === '';
}

/** The words of a part without times, at estimated times that are only used for its cut. */
function estimated({ text, start, end }: PartTranscript): TranscriptionSegment[] {
  const words = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].filter(
    ({ isWordLike }) => isWordLike,
  );
  const timeOf = (position: number): number => start + ((end - start) * position) / text.length;
  return words.map(({ segment, index }) => ({
    text: segment,
    start: timeOf(index),
    end: timeOf(index + segment.length),
  }));
}

/** The turns within some segments of a part, found by their letters. */
function keptTurns(
  part: PartTranscript,
  segments: readonly TranscriptionSegment[],
  from: number,
  to: number,
): PartTurn[] {
  let begin = 0;
  return part.turns.flatMap((turn) => {
    const letters = normalised(withoutCues(turn.text)).length;
    let end = begin;
    for (let passed = 0; end < segments.length && passed < letters; end++)
      passed += normalised(segments[end]?.text ?? '').length;
    const words = segments.slice(begin, end);
    const [start, stop] = [Math.max(0, from - begin), Math.min(words.length, to - begin)];
    begin = end;
    const [head, tail] = [words[start], words[stop - 1]];
    if (head === undefined || tail === undefined || stop <= start) return [];
    const text = keptText(turn.text, words, start, stop);
    return [{ ...turn, text, ...(hasTimes(part) ? { start: head.start, end: tail.end } : {}) }];
  });
}

/** A segment across a border belongs to the side that holds more of it. */
function firstAfter(segments: readonly TranscriptionSegment[], border: number): number {
  const index = segments.findIndex(({ start, end }) => (start + end) / 2 >= border);
  return index === -1 ? segments.length : index;
}

interface Match {
  readonly left: number;
  readonly right: number;
}

/**
 * Where to change from the left transcript to the right one, in the seconds that both hold: how many left segments to keep,
 * and the index of the first right one. The best place is the longest pause between two words that follow each other in both.
 */
function cutBetween(
  left: readonly TranscriptionSegment[],
  right: readonly TranscriptionSegment[],
  from: number,
  to: number,
  margin: number,
): Match {
  const late = left.filter(({ end }) => end > from);
  const leftFrom = late[0] === undefined ? left.length : left.indexOf(late[0]);
  const early = right.slice(0, firstAfter(right, to));
  const matches = align(left.slice(leftFrom), early, tolerance + 2 * margin).map((match) => ({
    ...match,
    left: match.left + leftFrom,
  }));
  let best: (Match & { gap: number }) | undefined;
  for (const [index, match] of matches.entries()) {
    const next = matches[index + 1];
    // Nothing is lost only between two words that are adjacent on both sides.
    if (next?.left !== match.left + 1 || next.right !== match.right + 1) continue;
    const ended = Math.max(left[match.left]?.end ?? 0, right[match.right]?.end ?? 0);
    const begun = Math.min(left[next.left]?.start ?? 0, right[next.right]?.start ?? 0);
    if (best === undefined || begun - ended > best.gap) {
      best = { left: next.left, right: next.right, gap: begun - ended };
    }
  }
  if (best !== undefined) return best;
  const [only] = matches;
  if (only !== undefined) return only;
  // The sides have no word in common: each is used on its own side of the middle, away from its own edge.
  const middle = (from + to) / 2;
  return { left: firstAfter(left, middle), right: firstAfter(right, middle) };
}

/** Maximum difference in time between two transcripts of a word. Seconds. */
const tolerance = 1;

/** The longest common sequence of equal words at nearly equal times. */
function align(
  left: readonly TranscriptionSegment[],
  right: readonly TranscriptionSegment[],
  within: number,
): Match[] {
  const words = left.map(({ text }) => normalised(text));
  const others = right.map(({ text }) => normalised(text));
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  const isMatch = (row: number, column: number): boolean =>
    words[row] === others[column] &&
    words[row] !== '' &&
    Math.abs((left[row]?.start ?? 0) - (right[column]?.start ?? 0)) < within;
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      const at = row * width + column;
      lengths[at] = isMatch(row, column)
        ? (lengths[at + width + 1] ?? 0) + 1
        : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  const matches: Match[] = [];
  let [row, column] = [0, 0];
  while (row < left.length && column < right.length) {
    const at = row * width + column;
    if (isMatch(row, column)) {
      matches.push({ left: row, right: column });
      row += 1;
      column += 1;
    } else if ((lengths[at + width] ?? 0) >= (lengths[at + 1] ?? 0)) row += 1;
    else column += 1;
  }
  return matches;
}

/** Letters and digits only: punctuation and case differ between transcripts. */
function normalised(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Sounds such as `[laughter]` are in the text but in no segment. */
const cue = /\[[^\]]*\]/g;
const withoutCues = (text: string): string => text.replaceAll(cue, '');

/**
 * The text of some of these segments, in the spelling of the full text if both have the same letters; otherwise in that of the
 * segments.
 */
function keptText(text: string, segments: readonly TranscriptionSegment[], from: number, to: number): string {
  if (from === 0 && to === segments.length) return text.trim();
  const letters = segments.map((segment) => normalised(segment.text).length);
  const characters = [...text];
  // A cue counts as punctuation.
  const silent = [...text.replaceAll(cue, (sound) => ' '.repeat([...sound].length))];
  const spelt = characters.map((_, index) => normalised(silent[index] ?? '').length);
  const total = letters.reduce((sum, count) => sum + count, 0);
  if (spelt.reduce((sum, count) => sum + count, 0) !== total) {
    return joinTexts(segments.slice(from, to).map((segment) => segment.text.trim()));
  }
  const sum = (end: number): number => letters.slice(0, end).reduce((all, count) => all + count, 0);
  /** The position after this many letters and the punctuation that belongs to the last of them. */
  const after = (letterCount: number): number => {
    let position = 0;
    for (let passed = 0; passed < letterCount; position++) passed += spelt[position] ?? 0;
    while (spelt[position] === 0 && characters[position]?.trim() !== '') position += 1;
    return position;
  };
  const start = from === 0 ? 0 : after(sum(from));
  const end = to === segments.length ? characters.length : after(sum(to));
  return characters.slice(start, end).join('').trim();
}

const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3000-\u303f\uff00-\uffef]/u;

/** Joins texts with a space, except between scripts that have none. */
export function joinTexts(texts: readonly string[]): string {
  let joined = '';
  for (const text of texts) {
    if (text === '') continue;
    const before = [...joined.slice(-2)].at(-1) ?? '';
    const after = [...text.slice(0, 2)][0] ?? '';
    const needsSpace = joined !== '' && !(withoutSpaces.test(before) && withoutSpaces.test(after));
    joined += needsSpace ? ` ${text}` : text;
  }
  return joined;
}
