import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { MPEGDecoder } from 'mpg123-decoder';
import type { PacketFile } from './packets.ts';
import { afterTags, mixDown, type SoundBlock, UnreadableAudioError } from './sound.ts';

/** Bytes decoded at a time: 16 KiB are 16 seconds at the lowest bitrate. */
const bytesABlock = 16_384;
/** Frames are found and decoded one after another; what a header says of their number is never asked. */
export async function* readMp3(bytes: Uint8Array): AsyncGenerator<SoundBlock> {
  const begin = afterTags(bytes);
  const channels = channelsOf(bytes, begin);
  if (channels === undefined) throw new UnreadableAudioError('no frame of MPEG layer III audio is in it');
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

/** Bytes that may stand before the first frame. */
const patience = 65_536;

/** Of the first frame that a second one follows: two bytes that look like the head of a frame are in any file. */
function channelsOf(bytes: Uint8Array, begin: number): number | undefined {
  for (let position = begin; position < Math.min(bytes.length, begin + patience); position += 1) {
    const length = frameBytes(bytes, position);
    if (length !== undefined && frameBytes(bytes, position + length) !== undefined) {
      return (bytes[position + 3] ?? 0) >> 6 === 3 ? 1 : 2;
    }
  }
  return undefined;
}

const bitratesOfVersion1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitratesOfVersion2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRates = [44100, 48000, 32000];

/** Length of the frame of layer III that begins here; `undefined` where none does. */
function frameBytes(bytes: Uint8Array, position: number): number | undefined {
  const [first = 0, second = 0, third = 0] = bytes.subarray(position, position + 3);
  const version = (second >> 3) & 3;
  if (first !== 0xff || (second & 0xe6) !== 0xe2 || version === 1) return undefined;
  const bitrate = (version === 3 ? bitratesOfVersion1 : bitratesOfVersion2)[third >> 4];
  const sampleRate = (sampleRates[(third >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4);
  if (!bitrate || sampleRate === 0) return undefined;
  return Math.floor(((version === 3 ? 144_000 : 72_000) * bitrate) / sampleRate) + ((third >> 1) & 1);
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
