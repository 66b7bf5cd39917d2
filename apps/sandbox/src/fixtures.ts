import {
  type Answer,
  decodeMultipart,
  type FormEntry,
  type IncomingRequest,
  jsonAnswer,
  Refusal,
  readBody,
} from '@speech-api/server';
import { limits } from '@speech-api/types';
import { refusalOf } from './operations/transcription.ts';
import type { Recall } from './recall/recall.ts';
import type { TimedWord } from './speech/job.ts';
import { findTokens, languageOfText, plainUnits } from './speech/text/characters.ts';
import { UnreadableAudioError } from './uploads/sound.ts';
import type { Span, Uploads } from './uploads/uploads.ts';

/** A recording whose words are known: a transcription of it, or of a part of it, returns them. */
export interface TranscriptionFixture {
  /** The bytes of a sound file. */
  readonly audio: Uint8Array;
  /** Text spoken in the recording. */
  readonly text: string;
  /** When each word is heard, in seconds. @defaultValue spread over where somebody seems to speak */
  readonly words?: readonly TimedWord[];
  /** ISO code. @defaultValue by the script of the text */
  readonly language?: string;
}

export interface RegisteredFixture {
  readonly duration: number;
  readonly words: readonly TimedWord[];
}

export interface FixtureParts {
  readonly uploads: Uploads;
  readonly recall: Recall;
  /** Whether it survives a reset. @defaultValue false */
  readonly lasting?: boolean;
}

/**
 * Remembers a recording with its words.
 *
 * @throws UnreadableAudioError when it cannot be decoded, RangeError when there is no word in the text
 */
export async function registerFixture(
  fixture: TranscriptionFixture,
  { uploads, recall, lasting = false }: FixtureParts,
): Promise<RegisteredFixture> {
  const { audio, text } = fixture;
  const file = await uploads.read(audio);
  if (!file.decoded) throw new UnreadableAudioError(`this machine has no decoder for ${file.codec}`);
  const voice = file.voice.length > 0 ? file.voice : [{ start: 0, end: file.duration }];
  const words = fixture.words ?? spreadWords(text, voice);
  if (words.length === 0) throw new RangeError('text has no word in it');
  const language = fixture.language ?? languageOfText(text);
  recall.add({ origin: 'fixture', text, words, language, frames: file.frames }, lasting);
  return { duration: file.duration, words };
}

/**
 * Gives the words of a transcript times where somebody seems to speak, each as much as it is long. An estimate: whoever
 * knows better gives the times along.
 */
export function spreadWords(text: string, voice: readonly Span[]): TimedWord[] {
  const tokens = findTokens(plainUnits(text));
  const length = tokens.reduce((sum, token) => sum + token.end - token.start, 0);
  const seconds = voice.reduce((sum, { start, end }) => sum + end - start, 0);
  let passed = 0;
  return tokens.map((token) => {
    const start = timeOf((seconds * passed) / length, voice, 'start');
    passed += token.end - token.start;
    return { text: token.text, start, end: timeOf((seconds * passed) / length, voice, 'end') };
  });
}

/** The moment at which this many seconds of voice have passed. At a pause, a word starts after it and ends before it. */
function timeOf(seconds: number, voice: readonly Span[], edge: 'start' | 'end'): number {
  let rest = seconds;
  for (const { start, end } of voice) {
    const span = end - start;
    if (edge === 'start' ? rest < span - 1e-6 : rest <= span + 1e-6) return start + Math.max(0, rest);
    rest -= span;
  }
  return voice.at(-1)?.end ?? 0;
}

/**
 * `POST /__sandbox/fixtures`: a form with `audio` (a file), `text`, and where they are known `words` (JSON: an array of
 * `{text, start, end}`) and `language`. The recording is transcribed with these words from then on.
 *
 * @throws Refusal
 */
export async function answerFixture(
  parts: { readonly uploads: Uploads; readonly recall: Recall },
  request: IncomingRequest,
): Promise<Answer> {
  const fixture = readFixture(await readForm(request));
  try {
    return jsonAnswer(201, await registerFixture(fixture, parts));
  } catch (error) {
    throw error instanceof RangeError ? unfit(`${error.message}.`) : refusalOf(error);
  }
}

async function readForm(request: IncomingRequest): Promise<FormEntry[]> {
  try {
    const bytes = await readBody(request, limits.requestBodyBytes);
    return await decodeMultipart(bytes, request.headers['content-type'] ?? '');
  } catch (error) {
    if (!(error instanceof Refusal) || error.entry.id === 'body-too-large') throw error;
    throw unfit(error.message);
  }
}

function readFixture(form: readonly FormEntry[]): TranscriptionFixture {
  const field = (name: string): FormEntry['value'] | undefined =>
    form.find((entry) => entry.name === name)?.value;
  const audio = field('audio');
  const text = field('text');
  const words = field('words');
  const language = field('language');
  if (audio === undefined || typeof audio === 'string') throw unfit('`audio` must be a file part.');
  if (typeof text !== 'string' || text.trim() === '') throw unfit('`text` must say what is spoken.');
  return {
    audio: audio.bytes,
    text,
    ...(typeof words === 'string' ? { words: readWords(words) } : {}),
    ...(typeof language === 'string' && language !== '' ? { language } : {}),
  };
}

function readWords(json: string): TimedWord[] {
  let words: unknown;
  try {
    words = JSON.parse(json);
  } catch {
    // Values that are not a list of words are refused below.
  }
  if (!Array.isArray(words) || !words.every(isTimedWord)) {
    throw unfit('`words` must be a JSON array of objects with `text`, `start` and `end`, in order of time.');
  }
  return words.map(({ text, start, end }: TimedWord) => ({ text, start, end }));
}

function isTimedWord(value: unknown, index: number, all: readonly unknown[]): boolean {
  const { text, start, end } = (value ?? {}) as Partial<TimedWord>;
  if (typeof text !== 'string' || !Number.isFinite(start) || !Number.isFinite(end)) return false;
  const before = (all[index - 1] as TimedWord | undefined)?.start ?? 0;
  return (start ?? -1) >= before && (end ?? -1) >= (start ?? 0);
}

function unfit(message: string): Refusal {
  return new Refusal('rule', { message });
}
