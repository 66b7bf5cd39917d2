import {
  type AlignmentSegment,
  type SpeechStreamEvent,
  type SynthesisRequest,
  synthesisDefaults,
} from '@speech-api/types';

/** One event of a stream without its audio, which is made in the requested format. */
export interface Step extends Omit<SpeechStreamEvent, 'audio_base64'> {
  /** Where the audio of this event ends, in seconds from the beginning of the whole audio. */
  readonly audioUntil: number;
}

/** The speech, event by event. An hour-long script is made while it is read. */
export interface Script {
  readonly steps: Iterable<Step>;
  /** After the last event: nothing, a line that should not be there, or a connection that breaks inside another event. */
  readonly ending: 'clean' | 'marker' | 'broken';
}

/** Milliseconds of audio per event; a remainder is shared out among the other events. */
const eventMilliseconds = 400;
/** A text without words becomes a short tone: empty audio would look like a fault. */
const leastMilliseconds = 500;

/**
 * The script of a request: each word of its text once, in as many chunks as it asks for. Each chunk begins without a
 * snapshot, goes on with growing ones, and ends with the whole.
 */
export function writeScript(request: SynthesisRequest, speed: number): Script {
  return { steps: stepsOf(request, speed), ending: 'clean' };
}

function* stepsOf(request: SynthesisRequest, speed: number): Generator<Step> {
  const { text, ...settings } = request;
  const chunks = chunkText(withoutTags(text), settings);
  let offset = 0;
  for (const [index, content] of (chunks.length === 0 ? [''] : chunks).entries()) {
    const words = timeWords(content, speed);
    const segments = segmentsOf(words);
    const duration = Math.max(
      milliseconds(segments.at(-1)?.end ?? 0),
      words.length > 0 ? 0 : leastMilliseconds,
    );
    const about = { content, chunk_seq: index, chunk_audio_offset_sec: offset / 1000 };
    const events = Math.max(1, Math.floor(duration / eventMilliseconds));
    for (let event = 1; event <= events; event += 1) {
      const until = Math.round((duration * event) / events);
      const last = event === events;
      const told = last ? segments : segments.filter(({ end }) => milliseconds(end) <= until);
      const none = !last && (event === 1 || told.length === 0);
      const audio_duration = last ? duration / 1000 : (told.at(-1)?.end ?? 0);
      const alignment = none ? null : { audio_duration, segments: told };
      yield { ...about, audioUntil: (offset + until) / 1000, alignment };
    }
    offset += duration;
  }
}

function segmentsOf(words: ReturnType<typeof timeWords>): AlignmentSegment[] {
  let elapsed = 0;
  return words.map(({ text, milliseconds: taken }) => {
    const start = elapsed / 1000;
    elapsed += taken;
    return { text, start, end: elapsed / 1000 };
  });
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** A sentence with its closing marks and the blanks after it. */
const sentence = /[^.!?。！？…]*[.!?。！？…]+["'”’)\]]*\s*|[^.!?。！？…]+$/gu;
const blank = /\s/u;

/**
 * The text chunks of a request: of at most `chunk_length` characters, cut behind a sentence where there is one. With the
 * latency `low` or `balanced` each sentence of at least `min_chunk_length` is a separate chunk.
 */
export function chunkText(text: string, request: Omit<SynthesisRequest, 'text'>): string[] {
  const most = request.chunk_length ?? synthesisDefaults.chunk_length;
  const eager = (request.latency ?? synthesisDefaults.latency) !== 'normal';
  const enough = eager ? (request.min_chunk_length ?? synthesisDefaults.min_chunk_length) : most;
  const chunks: string[] = [];
  let current = '';
  let length = 0;
  const close = (): void => {
    if (current.trim() !== '') chunks.push(current.trim());
    current = '';
    length = 0;
  };
  for (const piece of (text.match(sentence) ?? []).flatMap((each) => cut(each, most))) {
    const added = [...piece].length;
    if (length + added > most) close();
    current += piece;
    length += added;
    if (eager && length >= enough) close();
  }
  close();
  return chunks;
}

/** Pieces of at most this many characters, behind a blank where there is one. */
function cut(text: string, most: number): string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; ) {
    let end = Math.min(start + most, characters.length);
    if (end < characters.length) {
      const space = characters.slice(start, end).findLastIndex((each) => blank.test(each));
      if (space > 0) end = start + space + 1;
    }
    pieces.push(characters.slice(start, end).join(''));
    start = end;
  }
  return pieces;
}

/** Scripts that are written without spaces: each character is timed by itself. */
const wholeCharacter = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;
const words = new RegExp(String.raw`${wholeCharacter}|(?:(?!${wholeCharacter})[\p{L}\p{N}\p{M}'’])+`, 'gu');
const isWholeCharacter = new RegExp(`^${wholeCharacter}$`, 'u');
const speakerTag = /<\|speaker:\d+\|>/g;

export interface TimedWord {
  readonly text: string;
  readonly milliseconds: number;
}

/** Speaking time per character at speed 1, for a realistic length. */
const characterMilliseconds = 60;
const wordMilliseconds = 80;
const wholeCharacterMilliseconds = 240;

/** Behind these, no word goes on. */
const wordEnd = /[\s。，！？]/u;

/** Place in a text up to which every word is whole, whatever follows it. */
export function endOfWholeWords(text: string): number {
  // Backwards: an expression that ends in `$` would be tried at each place of a text without an end.
  let end = text.length;
  while (end > 0 && !wordEnd.test(text.charAt(end - 1))) end -= 1;
  return end;
}

/** A text without the tags that say who speaks. */
export function withoutTags(text: string): string {
  return text.replaceAll(speakerTag, ' ');
}

/** The words of a text: signs are dropped and apostrophes vanish, as in the alignments of the service. */
export function timeWords(text: string, speed: number): TimedWord[] {
  return Array.from(text.matchAll(words), ([word]) => {
    const plain = word.replaceAll(/['’]/g, '');
    const usual = isWholeCharacter.test(plain)
      ? wholeCharacterMilliseconds
      : wordMilliseconds + characterMilliseconds * [...plain].length;
    return { text: plain, milliseconds: Math.round(usual / speed) };
  }).filter(({ text: word }) => word !== '');
}
