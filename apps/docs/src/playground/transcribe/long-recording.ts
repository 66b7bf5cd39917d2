import type { SpeechClient } from '@speech-api/client';
import {
  type PartTranscript,
  RecordingError,
  type RecordingProgress,
  transcribeRecording,
} from '@speech-api/recordings';
import { cutInWorker } from '@speech-api/recordings/browser';
import type { Transcription } from '@speech-api/types';
import { sayBytes } from '../page/page.ts';

// A file from anywhere may keep its parser busy forever: the worker is ended then, and the page never waits.
const cut = cutInWorker();

/** Why a recording that is too long for one call cannot be cut either, in words for the reader; undefined if it can. */
export async function whyNotCut(file: File): Promise<string | undefined> {
  try {
    // The first part tells: what cannot be cut fails before it. A short one takes little to read and to decode.
    for await (const _ of cut(file, { maximumSeconds: 5 })) return undefined;
    return 'There is no sound in it.';
  } catch (error) {
    if (!RecordingError.isInstance(error)) throw error;
    return error.message;
  }
}

/** Told while a long recording is transcribed. */
export interface LongListener {
  progress(status: string, share: number): void;
  /** What is known so far: all parts from the start that are finished. */
  soFar(transcription: Transcription): void;
}

/** Cuts a recording in pauses, sends the parts, and puts their words together. */
export async function transcribeLong(
  client: SpeechClient,
  file: File,
  options: { readonly language: string; readonly signal: AbortSignal; readonly seconds: number },
  listener: LongListener,
): Promise<Transcription> {
  const parts: PartTranscript[] = [];
  const { language, signal, seconds } = options;
  const transcript = await transcribeRecording(client, file, {
    ...(language === '' ? {} : { language }),
    signal,
    cut,
    onProgress: (progress) => listener.progress(describe(progress, seconds), shareOf(progress, seconds)),
    onPart: (part) => {
      parts.push(part);
      listener.soFar(joined(parts));
    },
  });
  return transcript.toJSON() as Transcription;
}

/** Without the words that two parts share: what comes of them is settled when all parts are there. */
function joined(parts: readonly PartTranscript[]): Transcription {
  const segments: Transcription['segments'][number][] = [];
  for (const part of parts) {
    const from = segments.at(-1)?.end ?? 0;
    segments.push(...part.segments.filter(({ start }) => start >= from));
  }
  return {
    text: parts.map(({ text }) => text.trim()).join(' '),
    duration: parts.at(-1)?.end ?? 0,
    segments,
  };
}

function describe(
  { finishedParts, cutParts, seconds, bytes, totalBytes = 0 }: RecordingProgress,
  whole: number,
): string {
  const isCut = bytes >= totalBytes;
  const parts = `${finishedParts} of ${isCut ? '' : 'at least '}${cutParts} ${cutParts === 1 ? 'part' : 'parts'}`;
  const length = whole > 0 ? ` of ${clock(whole)}` : '';
  return `Transcribed: ${parts}, ${clock(seconds)}${length}; ${sayBytes(bytes)} of ${sayBytes(totalBytes)} read.`;
}

function shareOf(
  { finishedParts, cutParts, seconds, bytes, totalBytes = 1 }: RecordingProgress,
  whole: number,
): number {
  if (whole > 0) return Math.min(1, seconds / whole);
  return Math.min(1, (bytes / totalBytes) * (finishedParts / Math.max(1, cutParts)));
}

/** Seconds as minutes and seconds. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
