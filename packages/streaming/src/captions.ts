/** Text with its times in seconds; a word, a character or a whole sentence. */
export interface TimedText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly chunk_seq?: number;
  /** True if the text has no space before it. @defaultValue by the script and the punctuation */
  readonly isJoined?: boolean;
}

/** Options for cutting captions. */
export interface CaptionOptions {
  /**
   * Maximum columns of a line. A Chinese, Japanese or Korean character has two. A longer word gets its own
   * line.
   *
   * @defaultValue 42
   */
  readonly lineLength?: number;
  /** Lines a cue may have. @defaultValue 2 */
  readonly linesPerCue?: number;
  /** Seconds a cue may last. @defaultValue 6 */
  readonly cueSeconds?: number;
  /** A pause of at least this many seconds starts a new cue. @defaultValue 0.8 */
  readonly pauseSeconds?: number;
  /**
   * Columns a second that people read, such as 17. A cue that is spoken faster stays longer, up to the start of the
   * next one.
   *
   * @defaultValue `Infinity`: a cue ends with its last word
   */
  readonly readingSpeed?: number;
}

/** One caption. */
export interface CaptionCue {
  /** Seconds. */
  readonly start: number;
  /** Seconds; at least a millisecond after `start`, at most the start of the next cue. */
  readonly end: number;
  readonly lines: readonly string[];
}

// A million hours. A stream can say any number, and a cue beyond this would be cut from its place by every player.
const maximumSeconds = 3.6e9;

/** Timed text as WebVTT. Segments without a usable time (not finite, or over a million hours) are left out. */
export function writeVtt(segments: readonly TimedText[], options?: CaptionOptions): string {
  const cues = toCues(segments, options).map(({ start, end, lines }) => {
    const text = lines.map(escapeVtt).join('\n');
    return `${clock(start, '.')} --> ${clock(end, '.')}\n${text}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** Timed text as SubRip, with the segments that {@link writeVtt} writes. */
export function writeSrt(segments: readonly TimedText[], options?: CaptionOptions): string {
  const cues = toCues(segments, options).map(({ start, end, lines }, index) => {
    // SubRip has no escapes; an arrow in the text would be read as a time line.
    const text = lines.join('\n').replace(/-+>?/g, (dashes) => (dashes.endsWith('-->') ? '->' : dashes));
    return `${index + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${text}\n`;
  });
  return cues.join('\n');
}

/** Groups timed text into cues. A cue never spans two chunks, because chunks are cut where sentences end. */
export function toCues(segments: readonly TimedText[], options: CaptionOptions = {}): CaptionCue[] {
  requireOptions(options);
  const { lineLength = 42, linesPerCue = 2, cueSeconds = 6, pauseSeconds = 0.8 } = options;
  const { readingSpeed = Number.POSITIVE_INFINITY } = options;
  const cues: CaptionCue[] = [];
  let open: OpenCue | undefined;
  for (const piece of splitIntoPieces(segments.filter(hasUsableTime))) {
    if (open !== undefined) {
      const goesOn =
        piece.chunk_seq === open.chunk_seq &&
        piece.start - open.end < pauseSeconds &&
        piece.end - open.start <= cueSeconds;
      if (goesOn && append(open, piece, lineLength, linesPerCue)) continue;
      cues.push(close(open, piece.start, readingSpeed));
    }
    open = begin(piece);
  }
  if (open !== undefined) cues.push(close(open, Number.POSITIVE_INFINITY, readingSpeed));
  return cues;
}

const minimums: Readonly<Record<keyof CaptionOptions, number>> = {
  lineLength: 1,
  linesPerCue: 1,
  cueSeconds: 0,
  pauseSeconds: 0,
  readingSpeed: 0,
};

/** @throws TypeError naming the option that is unknown or cannot work. */
function requireOptions(options: CaptionOptions): void {
  if (Object.prototype.toString.call(options) !== '[object Object]')
    throw new TypeError('options must be an object');
  for (const [name, value] of Object.entries(options)) {
    const minimum = Object.hasOwn(minimums, name) ? minimums[name as keyof CaptionOptions] : undefined;
    if (minimum === undefined)
      throw new TypeError(`unknown option ${name}; there are ${Object.keys(minimums).join(', ')}`);
    if (value !== undefined && !(typeof value === 'number' && value >= minimum))
      throw new TypeError(`${name} must be a number from ${minimum}`);
  }
}

interface OpenCue {
  readonly start: number;
  end: number;
  readonly chunk_seq: number | undefined;
  readonly lines: string[];
  /** Columns of the last line. */
  width: number;
}

function begin(piece: TimedPiece): OpenCue {
  const { start, end, chunk_seq, text, width } = piece;
  return { start, end, chunk_seq, lines: [text], width };
}

function append(cue: OpenCue, piece: TimedPiece, lineLength: number, linesPerCue: number): boolean {
  const space = piece.spaceBefore ? ' ' : '';
  const last = cue.lines.length - 1;
  if (cue.width + space.length + piece.width <= lineLength) {
    cue.lines[last] += space + piece.text;
    cue.width += space.length + piece.width;
  } else {
    if (cue.lines.length >= linesPerCue) return false;
    cue.lines.push(piece.text);
    cue.width = piece.width;
  }
  cue.end = Math.max(cue.end, piece.end);
  return true;
}

function close(cue: OpenCue, nextStart: number, readingSpeed: number): CaptionCue {
  const width = cue.lines.reduce((sum, line) => sum + columns(line), 0);
  const seconds = readingSpeed > 0 ? Math.min(width / readingSpeed, maximumSeconds) : 0;
  const wanted = Math.max(cue.end, cue.start + seconds);
  const end = nextStart > cue.start ? Math.min(wanted, nextStart) : cue.end;
  // Both formats count in milliseconds and want an end after the start.
  const start = Math.max(0, Math.round(cue.start * 1000));
  return { start: start / 1000, end: Math.max(start + 1, Math.round(end * 1000)) / 1000, lines: cue.lines };
}

function hasUsableTime({ start, end }: TimedText): boolean {
  return Math.abs(start) <= maximumSeconds && Math.abs(end) <= maximumSeconds;
}

function clock(seconds: number, decimalMark: '.' | ','): string {
  const milliseconds = Math.round(seconds * 1000);
  const pad = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0');
  const hours = pad(milliseconds / 3_600_000, 2);
  const minutes = pad((milliseconds / 60_000) % 60, 2);
  return `${hours}:${minutes}:${pad((milliseconds / 1000) % 60, 2)}${decimalMark}${pad(milliseconds % 1000, 3)}`;
}

function escapeVtt(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A piece of a caption line, never broken further. */
interface TimedPiece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly chunk_seq: number | undefined;
  /** True if there is a space between this piece and the one before it on the same line. */
  readonly spaceBefore: boolean;
  /** Columns. */
  readonly width: number;
}

// Scripts written without spaces between words, and the full-width punctuation that goes with them.
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\u30fb-\u30fe\uff01-\uff60`;
// Never at the start of a line, and never after a space.
const closing = String.raw`,.!?;:…%)\]}»”’。，、！？；：」』】）》〉`;

/**
 * Cuts segments into the pieces of caption lines. A segment of several words (a transcript's sentence) is cut at its
 * spaces, its time shared out by width. Segments of white space alone vanish.
 */
function splitIntoPieces(segments: readonly TimedText[]): TimedPiece[] {
  const patterns = compilePatterns();
  const pieces: TimedPiece[] = [];
  let previous = '';
  for (const segment of segments) {
    const found = patterns.words(segment.text);
    const words = found.map(([word]) => word);
    const widths = words.map((word) => columns(word));
    const total = widths.reduce((sum, width) => sum + width, 0) || 1;
    let before = 0;
    words.forEach((text, index) => {
      const width = widths[index] ?? 0;
      const duration = segment.end - segment.start;
      pieces.push({
        text,
        start: segment.start + (duration * before) / total,
        end: segment.start + (duration * (before + width)) / total,
        chunk_seq: segment.chunk_seq,
        spaceBefore: patterns.wantsSpace(
          previous,
          text,
          index === 0 ? segment.isJoined : isJoined(found, index),
        ),
        width,
      });
      before += width;
      previous = text;
    });
  }
  return pieces;
}

/** True if a word follows the one before it at once; between two there is nothing but space. */
function isJoined(found: readonly RegExpExecArray[], index: number): boolean {
  const { 0: before = '', index: at = 0 } = found[index - 1] ?? {};
  return at + before.length === found[index]?.index;
}

/** Columns of a text: two for a wide character, none for a combining mark. */
export function columns(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}|\u200d/u.test(character)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}

function compilePatterns(): {
  words(text: string): RegExpExecArray[];
  wantsSpace(before: string, after: string, isJoined: boolean | undefined): boolean;
} {
  const word = new RegExp(`[${unspaced}]\\p{M}*[${closing}]*|[^\\s${unspaced}]+[${closing}]*`, 'gu');
  const endsUnspaced = new RegExp(`[${unspaced}]\\p{M}*[${closing}]*$`, 'u');
  const startsUnspaced = new RegExp(`^[${unspaced}]`, 'u');
  const onlyClosing = new RegExp(`^[${closing}]+$`, 'u');
  return {
    words: (text) => [...text.matchAll(word)],
    wantsSpace(before, after, isJoined) {
      const ends = endsUnspaced.test(before);
      const starts = startsUnspaced.test(after);
      if (isJoined !== undefined) return !isJoined && !(ends && starts);
      return !ends && !starts && !onlyClosing.test(after);
    },
  };
}
