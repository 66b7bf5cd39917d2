import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeMultipart, type FormEntry, Refusal, readBody, sendJson } from '@speech-api/server';
import { limits } from '@speech-api/types';
import { registerFixture, type TranscriptionFixture } from '../fixtures.ts';
import { refusalOf } from '../operations/transcription.ts';
import type { Recall } from '../recall/recall.ts';
import type { TimedWord } from '../speech/job.ts';
import type { Uploads } from '../uploads/uploads.ts';

/**
 * `POST /__sandbox/fixtures`: a form with `audio` (a file), `text`, and where they are known `words` (JSON: an array of
 * `{text, start, end}`) and `language`. The recording is transcribed with these words from then on.
 *
 * @throws Refusal
 */
export async function answerFixture(
  parts: { readonly uploads: Uploads; readonly recall: Recall },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fixture = readFixture(await readForm(request));
  try {
    sendJson(response, 201, await registerFixture(fixture, parts));
  } catch (error) {
    throw error instanceof RangeError ? unfit(`${error.message}.`) : refusalOf(error);
  }
}

async function readForm(request: IncomingMessage): Promise<FormEntry[]> {
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
    // Refused below, like any other value that is not a list of words.
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
