import { columns, splitIntoPieces, type TimedPiece, type TimedText } from './caption-pieces.ts';

/** How captions are cut. */
export interface CaptionOptions {
  /**
   * Columns a line may have; a Chinese, Japanese or Korean character takes two. A longer word keeps a line of its own.
   *
   * @defaultValue 42
   */
  readonly lineLength?: number;
  /** Lines a cue may have. @defaultValue 2 */
  readonly linesPerCue?: number;
  /** Seconds a cue may last. @defaultValue 6 */
  readonly cueSeconds?: number;
  /** A pause of at least so many seconds starts a new cue. @defaultValue 0.8 */
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

/** Timed text as WebVTT. */
export function writeVtt(segments: readonly TimedText[], options?: CaptionOptions): string {
  const cues = toCues(segments, options).map(({ start, end, lines }) => {
    const text = lines.map(escapeVtt).join('\n');
    return `${clock(start, '.')} --> ${clock(end, '.')}\n${text}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** Timed text as SubRip. */
export function writeSrt(segments: readonly TimedText[], options?: CaptionOptions): string {
  const cues = toCues(segments, options).map(({ start, end, lines }, index) => {
    // SubRip has no escapes; an arrow in the text would be read as a time line.
    const text = lines.join('\n').replaceAll('-->', '->');
    return `${index + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${text}\n`;
  });
  return cues.join('\n');
}

/** Groups timed text into cues. A cue never spans two chunks, because chunks are cut where sentences end. */
export function toCues(segments: readonly TimedText[], options: CaptionOptions = {}): CaptionCue[] {
  const { lineLength = 42, linesPerCue = 2, cueSeconds = 6, pauseSeconds = 0.8 } = options;
  const { readingSpeed = Number.POSITIVE_INFINITY } = options;
  const cues: CaptionCue[] = [];
  let open: OpenCue | undefined;
  for (const piece of splitIntoPieces(segments)) {
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
  const wanted = Math.max(cue.end, cue.start + width / readingSpeed);
  const end = nextStart > cue.start ? Math.min(wanted, nextStart) : cue.end;
  // Both formats count in milliseconds and want an end after the start.
  const start = Math.max(0, Math.round(cue.start * 1000));
  return { start: start / 1000, end: Math.max(start + 1, Math.round(end * 1000)) / 1000, lines: cue.lines };
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
