import type { SpeechClient } from '@speech-api/client';
import {
  cutRecording,
  type PartTranscript,
  RecordingError,
  type RecordingProgress,
  transcribeRecording,
} from '@speech-api/recordings';
import type { Transcription } from '@speech-api/types';
import { sayBytes } from '../page/page.ts';
import { clock } from './clock.ts';

/**
 * Reason why a recording too long for one call cannot be cut, in words for the reader; undefined if it can.
 */
export async function whyNotCut(file: File): Promise<string | undefined> {
  try {
    // The first part tells: what cannot be cut fails before it. A short one takes little to read and to decode.
    for await (const _ of cutRecording(file, { maximumSeconds: 5 })) return undefined;
    return 'There is no sound in it.';
  } catch (error) {
    if (!RecordingError.isInstance(error)) throw error;
    return error.message;
  }
}

/**
 * Cuts a recording in pauses, sends the parts, and puts their words together.
 *
 * @param seconds its length; 0 where that is unknown
 * @param progress called with a status, how much is done (0 to 1), and what is known when another part is finished
 */
export async function transcribeLong(
  client: SpeechClient,
  file: File,
  seconds: number,
  options: { readonly language?: string; readonly signal: AbortSignal },
  progress: (status: string, share: number, soFar?: Transcription) => void,
): Promise<Transcription> {
  const parts: PartTranscript[] = [];
  let shown: readonly [status: string, share: number] = ['Transcribing …', 0];
  const transcript = await transcribeRecording(client, file, {
    ...options,
    onProgress: (reached) => {
      shown = [describe(reached, seconds), shareOf(reached, seconds)];
      progress(...shown);
    },
    onPart: (part) => {
      parts.push(part);
      progress(...shown, joined(parts));
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
  const text = parts.map((part) => part.text.trim()).join(' ');
  return { text, duration: parts.at(-1)?.end ?? 0, segments };
}

function describe(reached: RecordingProgress, whole: number): string {
  const { finishedParts, cutParts, seconds, bytes, totalBytes = 0 } = reached;
  const known = bytes >= totalBytes ? '' : 'at least ';
  const parts = `${finishedParts} of ${known}${cutParts} ${cutParts === 1 ? 'part' : 'parts'}`;
  const length = whole > 0 ? ` of ${clock(whole)}` : '';
  return `Transcribed: ${parts}, ${clock(seconds)}${length}; ${sayBytes(bytes)} of ${sayBytes(totalBytes)} read.`;
}

function shareOf(reached: RecordingProgress, whole: number): number {
  const { finishedParts, cutParts, seconds, bytes, totalBytes = 1 } = reached;
  const share = whole > 0 ? seconds / whole : (bytes / totalBytes) * (finishedParts / Math.max(1, cutParts));
  return Math.min(1, share);
}
