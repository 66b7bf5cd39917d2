import { mp3Frames } from './frames.ts';
import type { Sound, SoundSettings } from './sound.ts';

const samplesPerFrame = 1152;
/** In the third byte of a frame: it has one byte more than its bitrate gives whole ones. */
const paddingBit = 0b10;

/** One frame of a tone, repeated. */
export function createMp3({ sampleRate, mp3Bitrate }: SoundSettings): Sound {
  const frame = Buffer.from(frameOf(sampleRate, mp3Bitrate), 'base64');
  const padded = Buffer.concat([frame, Buffer.alloc(1)]);
  padded.writeUInt8(padded.readUInt8(2) | paddingBit, 2);
  // Bytes a frame ought to have, as a fraction: padding comes when what was left over makes a byte.
  const remainder = (samplesPerFrame / 8) * mp3Bitrate * 1000;
  let written = 0;
  const write = (frames: number): Uint8Array => {
    const pieces: Uint8Array[] = [];
    for (; written < frames; written += 1) {
      const owed = (index: number): number => Math.floor((remainder * index) / sampleRate);
      pieces.push(owed(written + 1) - owed(written) > frame.length ? padded : frame);
    }
    return Buffer.concat(pieces);
  };
  const framesIn = (seconds: number): number => (seconds * sampleRate) / samplesPerFrame;
  return {
    until: (seconds) => write(Math.floor(framesIn(seconds))),
    finish: (seconds) => write(Math.ceil(framesIn(seconds))),
  };
}

function frameOf(sampleRate: number, bitrate: number): string {
  const frame = mp3Frames[`${sampleRate} ${bitrate}`];
  if (frame === undefined) throw new Error(`There is no mp3 frame of ${sampleRate} Hz and ${bitrate} kbps.`);
  return frame;
}
