import type { AudioFormat } from '@speech-api/types';

/** Whether a whole clip holds no sound at all: a header and nothing behind it. For clips of a few kilobytes. */
export function isSilentClip(clip: Uint8Array, format: AudioFormat): boolean {
  return clip.length < (format === 'wav' ? 46 : 2);
}
