import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { mixDown, type SoundBlock } from './sound.ts';

const bytesABlock = 65_536;

/** FLAC, by itself or in Ogg. */
export async function* readFlac(bytes: Uint8Array): AsyncGenerator<SoundBlock> {
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
