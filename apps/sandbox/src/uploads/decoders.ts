import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { MPEGDecoder } from 'mpg123-decoder';
import { findFrames, mp3FrameBytes } from './frames.ts';
import type { PacketFile } from './packets.ts';
import { afterTags, mixDown, type SoundBlock, UnreadableAudioError } from './sound.ts';

/** Bytes decoded at a time: 16 KiB are 16 seconds at the lowest bitrate. */
const bytesABlock = 16_384;

/** Frames are found and decoded one after another; what a header says of their number is never asked. */
export async function* readMp3(bytes: Uint8Array): AsyncGenerator<SoundBlock> {
  const begin = findFrames(bytes, afterTags(bytes), mp3FrameBytes);
  if (begin === undefined) throw new UnreadableAudioError('no frame of MPEG layer III audio is in it');
  const channels = (bytes[begin + 3] ?? 0) >> 6 === 3 ? 1 : 2;
  const decoder = new MPEGDecoder();
  await decoder.ready;
  for (let start = begin; start < bytes.length; start += bytesABlock) {
    const { channelData, sampleRate, samplesDecoded } = decoder.decode(
      bytes.subarray(start, start + bytesABlock),
    );
    // The decoder gives two channels whatever the file has.
    if (samplesDecoded > 0) yield { samples: mixDown(channelData), sampleRate, channels };
  }
}

const framesABlock = 16;
const oggBytesABlock = 65_536;

/** A FLAC file. Its frames are cut by the container's reader: the decoder's own loses the last one now and then. */
export async function* readFlac(file: PacketFile): AsyncGenerator<SoundBlock> {
  const decoder = new FLACDecoder();
  await decoder.ready;
  let frames: Uint8Array[] = [];
  for await (const packet of file.packets()) {
    frames.push(packet.data);
    if (frames.length < framesABlock) continue;
    yield* blockOf(await decoder.decodeFrames(frames));
    frames = [];
  }
  yield* blockOf(await decoder.decodeFrames(frames));
}

/** FLAC in Ogg, which the container's reader does not know. */
export async function* readOggFlac(bytes: Uint8Array): AsyncGenerator<SoundBlock> {
  const decoder = new FLACDecoder();
  await decoder.ready;
  for (let start = 0; start < bytes.length; start += oggBytesABlock) {
    yield* blockOf(await decoder.decode(bytes.subarray(start, start + oggBytesABlock)));
  }
  yield* blockOf(await decoder.flush());
}

interface Decoded {
  readonly channelData: Float32Array[];
  readonly samplesDecoded: number;
  readonly sampleRate: number;
}

function* blockOf({ channelData, samplesDecoded, sampleRate }: Decoded): Generator<SoundBlock> {
  if (samplesDecoded === 0) return;
  yield { samples: mixDown(channelData), sampleRate, channels: channelData.length };
}
