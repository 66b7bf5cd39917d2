import { createMp3FrameWalker } from '@speech-api/audio';
import { MPEGDecoder } from 'mpg123-decoder';
import { UnreadableAudioError } from '../unreadable-audio-error.ts';
import { afterTags } from './sniff.ts';
import { mixDown, type SoundBlock } from './sound.ts';

/** Bytes decoded at a time: 16 KiB are 16 seconds at the lowest bitrate. */
const bytesABlock = 16_384;
/** Bytes that may stand before the first frame. */
const patience = 262_144;

/** Frames are found and decoded one after another; what a header says of their number is never asked. */
export async function* readMp3(bytes: Uint8Array): AsyncGenerator<SoundBlock> {
  // The decoder makes a frame of nearly anything; the walker wants a second frame where the first one ends.
  const begin = afterTags(bytes);
  const [frame] = createMp3FrameWalker().push(bytes.subarray(begin, begin + patience));
  if (frame === undefined) throw new UnreadableAudioError('no frame of MPEG layer III audio is in it');
  const decoder = new MPEGDecoder();
  await decoder.ready;
  for (let start = begin; start < bytes.length; start += bytesABlock) {
    const { channelData, sampleRate, samplesDecoded } = decoder.decode(
      bytes.subarray(start, start + bytesABlock),
    );
    if (samplesDecoded === 0) continue;
    // The decoder gives two channels whatever the file has.
    yield { samples: mixDown(channelData), sampleRate, channels: frame.channels };
  }
}
