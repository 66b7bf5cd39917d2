/** Text with its times in seconds: a word, a character or a whole sentence. */
export interface TimedText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly chunk_seq?: number;
  /** The name of the speaker, which captions show. Only set if there are several. */
  readonly speaker?: string;
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
   * @defaultValue `Infinity`: a cue ends with its last word, but lasts a second if the next one leaves it
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
  readonly speaker?: string;
}

/**
 * Timed text as WebVTT, with a voice tag for each cue whose speaker is known. Segments without a usable time (not finite,
 * or over a million hours) are left out.
 */
export function writeVtt(segments: readonly TimedText[], options?: CaptionOptions): string {
  const escapeMarkup = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const cues = toCues(segments, options).map(({ start, end, lines, speaker }) => {
    const voice = speaker === undefined ? '' : `<v ${escapeMarkup(speaker)}>`;
    return `${clock(start, '.')} --> ${clock(end, '.')}\n${voice}${escapeMarkup(lines.join('\n'))}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** Timed text as SubRip, with the segments that {@link writeVtt} writes. The speaker's name is before the words. */
export function writeSrt(segments: readonly TimedText[], options?: CaptionOptions): string {
  const cues = toCues(segments, options).map(({ start, end, lines, speaker }, index) => {
    // SubRip has no escapes. An arrow would be read as a time line; a space without width keeps players from reading
    // `<b>`, `{\an8}` and even `a < b && c > d` as tags.
    const text = [...(speaker === undefined ? [] : [`${speaker}: `]), lines.join('\n')]
      .join('')
      .replace(/(?<!-)-{2,}>/g, '->')
      .replace(/[<{]/g, '$&\u200b');
    return `${index + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${text}\n`;
  });
  return cues.join('\n');
}

function clock(seconds: number, decimalMark: '.' | ','): string {
  const milliseconds = Math.round(seconds * 1000);
  const pad = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0');
  const hours = pad(milliseconds / 3_600_000, 2);
  const minutes = pad((milliseconds / 60_000) % 60, 2);
  return `${hours}:${minutes}:${pad((milliseconds / 1000) % 60, 2)}${decimalMark}${pad(milliseconds % 1000, 3)}`;
}

// A million hours. A transcript may contain any number, and players cannot show a cue beyond this.
const maximumSeconds = 3.6e9;
/** Seconds; a shorter cue would flash by. */
const minimumCueSeconds = 1;
/** Two frames at 24 a second: a shorter gap between cues flickers, so the earlier cue stays. */
const minimumGapSeconds = 2 / 24;

/**
 * Groups timed text into cues that do not overlap. A cue never spans two speakers, nor two chunks, because chunks are cut
 * where sentences end; a full one ends with its last sentence if that is at least half of it.
 */
export function toCues(segments: readonly TimedText[], options: CaptionOptions = {}): CaptionCue[] {
  const { lineLength = 42, cueSeconds = 6, readingSpeed = Number.POSITIVE_INFINITY } = options;
  const pieces = piecesOf(segments);
  const cues: CaptionCue[] = [];
  let previousEnd = 0;
  for (let first = 0; first < pieces.length; ) {
    const next = endOfCue(pieces, first, options);
    const cue = pieces.slice(first, next);
    const { start = 0, speaker } = cue[0] ?? {};
    const spoken = cue.reduce((seconds, { end }) => Math.max(seconds, end - start), 0);
    const reading = cue.reduce((sum, { width }) => sum + width, 0) / readingSpeed;
    const seconds = Math.min(Math.max(spoken, reading, minimumCueSeconds), cueSeconds, maximumSeconds);
    const nextStart = pieces[next]?.start ?? Number.POSITIVE_INFINITY;
    const end = start + seconds > nextStart - minimumGapSeconds ? nextStart : start + seconds;
    // Both formats count in milliseconds and need an end after the start.
    const from = Math.max(previousEnd, Math.round(start * 1000));
    previousEnd = Math.max(from + 1, Math.round(end * 1000));
    const lines = balancedLines(cue, lineLength);
    cues.push({
      start: from / 1000,
      end: previousEnd / 1000,
      lines,
      ...(speaker !== undefined && { speaker }),
    });
    first = next;
  }
  return cues;
}

/** The index of the piece that begins the next cue. */
function endOfCue(pieces: readonly TimedPiece[], first: number, options: CaptionOptions): number {
  const { lineLength = 42, linesPerCue = 2, cueSeconds = 6, pauseSeconds = 0.8 } = options;
  const { chunk_seq, speaker, start = 0 } = pieces[first] ?? {};
  let end = start;
  let line = { count: 1, width: 0 };
  let width = 0;
  let sentence = { end: first, width: 0 };
  for (let index = first; index < pieces.length; index += 1) {
    const piece = pieces[index] as TimedPiece;
    if (piece.chunk_seq !== chunk_seq || piece.speaker !== speaker) return index;
    if (index > first && piece.start - end >= pauseSeconds) return index;
    line = lineWith(piece, line, lineLength);
    end = Math.max(end, piece.end);
    if (index > first && (line.count > linesPerCue || end - start > cueSeconds))
      return sentence.width > 0 && sentence.width * 2 >= width ? sentence.end : index;
    width += piece.width;
    if (/[\p{Sentence_Terminal}…]["'\p{Pe}\p{Pf}]*$/u.test(piece.text)) sentence = { end: index + 1, width };
  }
  return pieces.length;
}

/** The line of a piece, and the columns used so far. */
function lineWith(
  { spaceBefore, width }: TimedPiece,
  line: { readonly count: number; readonly width: number },
  lineLength: number,
): { readonly count: number; readonly width: number } {
  if (line.width === 0) return { count: line.count, width };
  const joined = line.width + (spaceBefore ? 1 : 0) + width;
  return joined <= lineLength ? { count: line.count, width: joined } : { count: line.count + 1, width };
}

/** Lines of about the same length, and no more of them than needed: no word is alone on the last line. */
function balancedLines(pieces: readonly TimedPiece[], lineLength: number): string[] {
  let lines = linesOf(pieces, lineLength);
  if (lines.length === 1) return lines;
  for (let length = lineLength - 1; length > 0; length -= 1) {
    const shorter = linesOf(pieces, length);
    if (shorter.length > lines.length) break;
    lines = shorter;
  }
  return lines;
}

function linesOf(pieces: readonly TimedPiece[], lineLength: number): string[] {
  const lines: string[] = [];
  let line = { count: 1, width: 0 };
  for (const piece of pieces) {
    line = lineWith(piece, line, lineLength);
    if (lines.length < line.count) lines.push(piece.text);
    else lines.push(`${lines.pop()}${piece.spaceBefore ? ' ' : ''}${piece.text}`);
  }
  return lines;
}

/** A piece of a caption line, which is never broken. */
interface TimedPiece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly chunk_seq: number | undefined;
  readonly speaker: string | undefined;
  /** True if there is a space between this piece and the one before it on the same line. */
  readonly spaceBefore: boolean;
  /** Width in columns. */
  readonly width: number;
}

/** A segment and its place in the text of its chunk. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly segment: TimedText;
}

/** Chinese and Japanese, with the full-width punctuation that goes with them: a line may break between any two. */
const ideographic = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fb-\u30fe\uff01-\uff60`;
/** Scripts that are written without spaces, too, but break between words only. */
const wordsWithoutSpaces = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/** Characters that never begin a line and never follow a space. */
const closing = String.raw`,.!?;:…%)\]}»”’。，、．！？；：」』】》）〉〕｝］`;
/** More characters that never begin a line: repetition and length marks, small kana, dashes. */
const continuing = '々〻ゝゞヽヾー・゠〜～‐–ๆฯぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ';
/** Characters that never end a line. */
const opening = '([{«“‘¿¡「『【《（〈〔｛［';

/**
 * Cuts segments into the pieces of caption lines. The segments of a chunk and speaker are joined to a text first, so that it does
 * not matter whether a service times words, characters or sentences; a piece takes its time by width.
 */
function piecesOf(segments: readonly TimedText[]): TimedPiece[] {
  patterns ??= compilePatterns();
  const { needsSpace, partsOf, spaceBetweenIdeographs } = patterns;
  const pieces: TimedPiece[] = [];
  let text = '';
  let spans: Span[] = [];
  const takeChunk = (): void => {
    const clock = createClock(text, spans);
    for (const { 0: token, index } of text.matchAll(/\S+/g)) {
      let from = index;
      for (const part of partsOf(token)) {
        const to = from + part.length;
        const times = { start: clock(from), end: clock(to, true) };
        const { chunk_seq, speaker } = spans[0]?.segment ?? {};
        pieces.push({
          text: part,
          ...times,
          ...{ chunk_seq, speaker },
          spaceBefore: text[from - 1] === ' ',
          width: columns(part),
        });
        from = to;
      }
    }
    text = '';
    spans = [];
  };
  const usable = segments.filter(
    ({ start, end }) => Math.abs(start) <= maximumSeconds && Math.abs(end) <= maximumSeconds,
  );
  for (const segment of usable.sort((left, right) => left.start - right.start)) {
    const words = segment.text.trim().replace(/\s+/g, ' ').replace(spaceBetweenIdeographs, '');
    if (words === '') continue;
    const { chunk_seq, speaker } = spans[0]?.segment ?? segment;
    if (chunk_seq !== segment.chunk_seq || speaker !== segment.speaker) takeChunk();
    if (text !== '' && needsSpace(text.slice(-8), words, segment.isJoined)) text += ' ';
    spans.push({ from: text.length, to: text.length + words.length, segment });
    text += words;
  }
  takeChunk();
  return pieces;
}

/** Returns the time at a position in the text. Positions must not decrease; `isEnd` if a piece ends there. */
function createClock(text: string, spans: readonly Span[]): (place: number, isEnd?: boolean) => number {
  let index = -1;
  let span: Span = { from: 0, to: 0, segment: { text: '', start: 0, end: 0 } };
  let total = 0;
  let passed = 0;
  let width = 0;
  return (place, isEnd = false) => {
    while ((isEnd ? span.to < place : span.to <= place) && index + 1 < spans.length) {
      index += 1;
      span = spans[index] as Span;
      total = spokenColumns(text.slice(span.from, span.to));
      passed = span.from;
      width = 0;
    }
    width += spokenColumns(text.slice(passed, place));
    passed = place;
    const { start, end } = span.segment;
    return start + ((end - start) * width) / (total || 1);
  };
}

const spokenColumns = (text: string): number => columns(text.replaceAll(' ', ''));

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

/** The patterns are compiled once, when captions are first written. */
let patterns: ReturnType<typeof compilePatterns> | undefined;

function compilePatterns() {
  const isIdeographic = new RegExp(`[${ideographic}]`, 'u');
  const needsWords = new RegExp(`[${wordsWithoutSpaces}]`, 'u');
  const startsNoLine = new RegExp(`^[${closing}${continuing}]`, 'u');
  const endsNoLine = new RegExp(`[${opening}]$`, 'u');
  const endsIdeographic = new RegExp(`[${ideographic}]\\p{M}*[${closing}]*$`, 'u');
  const endsUnspaced = new RegExp(`[${ideographic}${wordsWithoutSpaces}]\\p{M}*[${closing}]*$`, 'u');
  const startsUnspaced = new RegExp(`^[${ideographic}${wordsWithoutSpaces}]`, 'u');
  const startsIdeographic = new RegExp(`^[${ideographic}]`, 'u');
  const onlyClosing = new RegExp(`^[${closing}]+$`, 'u');
  const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const words = new Intl.Segmenter(undefined, { granularity: 'word' });
  return {
    spaceBetweenIdeographs: new RegExp(`(?<=[${ideographic}]) (?=[${ideographic}])`, 'gu'),

    needsSpace(before: string, after: string, isJoined: boolean | undefined): boolean {
      if (isJoined !== undefined)
        return !isJoined && !(endsIdeographic.test(before) && startsIdeographic.test(after));
      return !endsUnspaced.test(before) && !startsUnspaced.test(after) && !onlyClosing.test(after);
    },

    /** Splits text without spaces where a line may break. */
    *partsOf(token: string): Generator<string> {
      const hasWords = needsWords.test(token);
      if (!hasWords && !isIdeographic.test(token)) return yield token;
      const wordStarts = new Set(hasWords ? Array.from(words.segment(token), ({ index }) => index) : []);
      let part = '';
      let before = '';
      for (const { segment: character, index } of characters.segment(token)) {
        const mayBreak =
          isIdeographic.test(before) ||
          isIdeographic.test(character) ||
          (wordStarts.has(index) && (needsWords.test(before) || needsWords.test(character)));
        if (part !== '' && mayBreak && !startsNoLine.test(character) && !endsNoLine.test(before)) {
          yield part;
          part = '';
        }
        part += character;
        before = character;
      }
      yield part;
    },
  };
}

// A word may be spelt differently in the alignment (20, twenty); later words are searched within this many letters.
const reach = 40;
// A shorter word could match by chance.
const minimumLetters = 4;

/**
 * The segments of a chunk with their words as the text of the chunk writes them, for services leave out punctuation and
 * apostrophes. A segment that is not found in the text keeps its own. After a tag such as `<|speaker:0|>` the segments
 * have its speaker.
 *
 * @param content - The text that the segments were spoken from, in their order.
 * @param speakers - Names of the speakers in the order of their numbers. @defaultValue `Speaker 1` and so on
 */
export function asWritten(
  segments: readonly TimedText[],
  content: string,
  speakers: readonly string[] = [],
): TimedText[] {
  const tags = [...content.matchAll(/<\|speaker:(\d+)\|>/g)].reverse();
  // Tags become spaces of the same length, so that positions stay the same.
  const text = content.replace(/<\|[^|]*\|>|\[[^[\]]*\]/g, (tag) => ' '.repeat(tag.length));
  const { letters, places } = lettersOf(text);
  const written: Written[] = [];
  /** The last matched segment, with the start and end of its letters. */
  let open: Written | undefined;
  let begin = 0;
  let end = 0;
  let next = 0;

  /** Appends text to the open segment, and returns the start of the text before `place`. */
  function closeBefore(place: number): number {
    const gap = text.slice(end, place);
    // Counted in a loop, because a pattern anchored at the end would be tried from each position of a long gap.
    let opening = 0;
    while (/[\p{Ps}\p{Pi}"'¿¡]/u.test(gap.charAt(gap.length - 1 - opening))) opening += 1;
    // Next to skipped words, a word keeps only the punctuation that touches it.
    const touching = /^[^\s\p{Alphabetic}\p{N}\p{Ps}\p{Pi}]*/u.exec(gap)?.[0].length ?? 0;
    const ending = /[\p{Alphabetic}\p{N}]/u.test(gap) ? touching : Math.max(touching, gap.length - opening);
    if (open) open.text = text.slice(begin, end + ending).trim();
    return Math.max(place - opening, open ? end + ending : 0);
  }

  for (const segment of segments) {
    const letterText = lettersOf(segment.text).letters;
    // A segment that is only punctuation is joined with the word before it.
    if (letterText === '' && open) continue;
    const at = letterText === '' ? -1 : find(letters, letterText, next);
    const previous = written.at(-1);
    if (at < 0) {
      written.push({ ...(previous?.speaker !== undefined && { speaker: previous.speaker }), ...segment });
      continue;
    }
    const from = closeBefore(places[at] ?? 0);
    const number = tags.find(({ index }) => index < from)?.[1];
    // The text between two segments is only known if they are neighbours in it.
    const isKnown = previous !== undefined && previous === open;
    open = { ...segment, ...(isKnown && { isJoined: /\S/.test(text.charAt(from - 1)) }) };
    if (number !== undefined) open.speaker = speakers[Number(number)] ?? `Speaker ${Number(number) + 1}`;
    written.push(open);
    begin = from;
    next = at + letterText.length;
    const last = places[next - 1] ?? 0;
    end = last + String.fromCodePoint(text.codePointAt(last) ?? 0).length;
  }
  closeBefore(text.length);
  return written;
}

type Written = { -readonly [Name in keyof TimedText]: TimedText[Name] };

function find(letters: string, word: string, next: number): number {
  if (letters.startsWith(word, next)) return next;
  if (word.length < minimumLetters) return -1;
  const at = letters.slice(next, next + reach + word.length).indexOf(word);
  return at < 0 ? -1 : next + at;
}

/** The letters and digits of a text in lower case, each with its position. */
function lettersOf(text: string): { readonly letters: string; readonly places: readonly number[] } {
  const places: number[] = [];
  let letters = '';
  for (const { 0: letter, index } of text.matchAll(/[\p{Alphabetic}\p{M}\p{N}]/gu)) {
    const lower = letter.toLowerCase();
    letters += lower;
    for (let unit = 0; unit < lower.length; unit += 1) places.push(index);
  }
  return { letters, places };
}
