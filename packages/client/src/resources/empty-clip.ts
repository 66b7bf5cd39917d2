import { createMp3FrameWalker, createOpusReader, createWavReader } from '@speech-api/audio';
import type { AudioFormat } from '@speech-api/types';

// An encoder flushes a frame or two even when it was given nothing.
const fewestMp3Frames = 3;

/**
 * Whether a whole clip holds no audio: headers and nothing behind them.
 *
 * @throws AudioFormatError when the bytes are not of the format at all.
 */
export function isEmptyClip(clip: Uint8Array, format: AudioFormat): boolean {
  if (format === 'pcm') return clip.length === 0;
  if (format === 'wav') return createWavReader().push(clip).length === 0;
  if (format === 'opus') return createOpusReader().push(clip).length === 0;
  const walker = createMp3FrameWalker();
  const frames = [...walker.push(clip), ...walker.end()].filter(
    ({ information }) => information === undefined,
  );
  return frames.length < fewestMp3Frames;
}
