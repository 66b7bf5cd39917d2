import { finishWav } from '@speech-api/audio';
import type { Timeline } from '@speech-api/streaming';
import { type AudioFormat, audioMediaTypes } from '@speech-api/types';
import { saveFile } from '../page/save-file.ts';

/** Hands the audio that arrived to the reader as a file. */
export async function saveAudio(format: AudioFormat, pieces: readonly BlobPart[]): Promise<void> {
  const bytes = new Uint8Array(await new Blob([...pieces]).arrayBuffer());
  // A streamed wav says nothing true about its length; a file does.
  const file = format === 'wav' ? finishWav(bytes) : bytes;
  saveFile(`speech.${format}`, audioMediaTypes[format], [file]);
}

/** Hands the captions to the reader as a file. */
export function saveCaptions(kind: 'vtt' | 'srt', timeline: Pick<Timeline, 'toVtt' | 'toSrt'>): void {
  if (kind === 'vtt') saveFile('speech.vtt', 'text/vtt', [timeline.toVtt()]);
  else saveFile('speech.srt', 'application/x-subrip', [timeline.toSrt()]);
}
