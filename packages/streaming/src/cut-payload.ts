import type { SpeechStreamEvent } from '@speech-api/types';

/** The payload of an event with what is large in it left as text. */
export interface CutPayload {
  /** Complete but for `audio_base64` and the segments of the alignment, which are placeholders. */
  readonly payload: SpeechStreamEvent;
  /** What stands between the quotes of `audio_base64`. */
  readonly audio: string;
  /** The segments without their closing bracket; undefined where there is no alignment. */
  readonly segments: string | undefined;
  /** How much of `segments` was known before. */
  readonly shared: number;
}

type LooseFields = Partial<Record<string, unknown>>;

/** Characters from `start` to before `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

// A bracket in the text of a segment is taken for the end of the segments. After so many, parsing costs less.
const maximumAttempts = 8;

/**
 * Cuts the audio and the segments out of a payload and parses the rest, some two hundred characters, with a number
 * in place of each.
 *
 * The number must be one that the stream can not hold: when it comes out as `audio_base64` and as
 * `alignment.segments`, then what was cut out are the values of these fields, and the payload is JSON exactly when
 * they are. For the end of the segments, the first bracket after which the rest can be parsed is the right one: a
 * bracket inside a string would leave an odd number of quotes, one inside a segment too few brackets.
 *
 * @param sharedWith - How many characters of the segments at a position of the data are known already, up to the
 * end of a segment.
 * @returns undefined for what does not fit, such as escapes in the audio, doubled keys and wrong types: it is to be
 * parsed whole.
 */
export function cutPayload(
  data: string,
  placeholder: number,
  sharedWith: (data: string, position: number) => number,
): CutPayload | undefined {
  const audio = findAudio(data);
  if (audio === undefined) return undefined;
  const text = data.slice(audio.start + 1, audio.end - 1);
  const start = findValue(data, '"segments"', '[');
  if (start < 0) {
    const payload = parseAround(data, audio, undefined, placeholder);
    if (payload?.alignment !== null || !isComplete(payload, placeholder)) return undefined;
    return { payload: payload as unknown as SpeechStreamEvent, audio: text, segments: undefined, shared: 0 };
  }
  const shared = sharedWith(data, start);
  let close = start + shared - 1;
  for (let attempt = 0; attempt < maximumAttempts; attempt++) {
    close = data.indexOf(']', close + 1);
    if (close < 0) break;
    const payload = parseAround(data, audio, { start, end: close + 1 }, placeholder);
    if (payload === undefined) continue;
    const alignment = payload.alignment as LooseFields | null | undefined;
    const fits = alignment?.segments === placeholder && typeof alignment.audio_duration === 'number';
    if (!fits || !isComplete(payload, placeholder)) break;
    const segments = data.slice(start, close);
    return { payload: payload as unknown as SpeechStreamEvent, audio: text, segments, shared };
  }
  return undefined;
}

function findAudio(data: string): Span | undefined {
  const start = findValue(data, '"audio_base64"', '"');
  const end = start < 0 ? 0 : data.indexOf('"', start + 1) + 1;
  return end === 0 ? undefined : { start, end };
}

/** Where the value of this key begins, if it begins as it should; else -1. */
function findValue(data: string, key: string, opening: string): number {
  const at = data.indexOf(key);
  if (at < 0) return -1;
  const colon = skipSpace(data, at + key.length);
  if (data[colon] !== ':') return -1;
  const value = skipSpace(data, colon + 1);
  return data[value] === opening ? value : -1;
}

function skipSpace(data: string, from: number): number {
  let position = from;
  while (' \t\n\r'.includes(data[position] ?? 'end')) position += 1;
  return position;
}

function parseAround(
  data: string,
  one: Span,
  other: Span | undefined,
  placeholder: number,
): LooseFields | undefined {
  // Spaces, so that the digits of the number and what may stand beside it do not become another number.
  const value = ` ${placeholder} `;
  const [first, second] = other === undefined || one.start < other.start ? [one, other] : [other, one];
  if (second !== undefined && second.start < first.end) return undefined;
  const rest =
    second === undefined
      ? data.slice(first.end)
      : data.slice(first.end, second.start) + value + data.slice(second.end);
  try {
    return JSON.parse(data.slice(0, first.start) + value + rest);
  } catch {
    return undefined;
  }
}

/** Whether the audio was cut out, and the fields that are small are what section 2.4 says. */
function isComplete(payload: LooseFields, placeholder: number): boolean {
  return (
    payload.audio_base64 === placeholder &&
    typeof payload.content === 'string' &&
    typeof payload.chunk_audio_offset_sec === 'number' &&
    Number.isSafeInteger(payload.chunk_seq)
  );
}
