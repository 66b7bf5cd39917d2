import { FLACDecoder } from '@wasm-audio-decoders/flac';
import type { PacketFile } from './packets.ts';
import { mixDown, type SoundBlock } from './sound.ts';

const framesABlock = 16;
const bytesABlock = 65_536;

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
  for (let start = 0; start < bytes.length; start += bytesABlock) {
    yield* blockOf(await decoder.decode(bytes.subarray(start, start + bytesABlock)));
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
