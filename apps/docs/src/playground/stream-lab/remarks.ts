import type { SpeechStreamEvent } from '@speech-api/types';
import type { Snapshot } from './steps.ts';

/** What is not in order about an event, in words. */
export function remarksOn(
  event: SpeechStreamEvent,
  before: Snapshot | undefined,
  after: Snapshot | undefined,
  previous: SpeechStreamEvent | undefined,
): string[] {
  const remarks: string[] = [];
  if (previous !== undefined && event.chunk_seq < previous.chunk_seq) {
    remarks.push(`chunk_seq goes back from ${previous.chunk_seq} to ${event.chunk_seq}.`);
  }
  if (previous !== undefined && event.chunk_audio_offset_sec < previous.chunk_audio_offset_sec) {
    remarks.push(
      `chunk_audio_offset_sec goes back from ${previous.chunk_audio_offset_sec} to ${event.chunk_audio_offset_sec}.`,
    );
  }
  if (before !== undefined && after !== undefined && after.segments.length < before.segments.length) {
    remarks.push(
      `The new snapshot has ${after.segments.length} segments where the last one had ${before.segments.length}.`,
    );
  }
  return remarks;
}
