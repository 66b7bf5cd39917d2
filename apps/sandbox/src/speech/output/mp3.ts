import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { mp3Bitrates, sampleRates } from '@speech-api/types';
import { createEncoder } from 'wasm-media-encoders';
import type { AudioEncoder } from './samples.ts';

/** Samples that LAME and the decoders put before the first one. */
const delaySamples = 576 + 529;

type LameModule = Parameters<typeof createEncoder>[1];

let compiled: LameModule | undefined;

/** Each stream has a fresh instance, so that no state reaches the bytes of the next one; the module is compiled once. */
async function createLame() {
  const program =
    compiled ?? (await readFile(fileURLToPath(import.meta.resolve('wasm-media-encoders/wasm/mp3'))));
  return createEncoder('audio/mpeg', program, (module) => {
    compiled = module;
  });
}

/**
 * MPEG layer III at a constant bitrate, without a leading information frame: that one would have to state a
 * length nobody knows yet; `leadingSeconds` gives the delay instead.
 *
 * @param bitrate kbit/s
 */
export async function createMp3Encoder(sampleRate: number, bitrate: number): Promise<AudioEncoder> {
  const lame = await createLame();
  lame.configure({
    channels: 1,
    sampleRate,
    outputSampleRate: asOutputRate(sampleRate),
    bitrate: asBitrate(bitrate),
  });
  return {
    leadingSeconds: delaySamples / sampleRate,
    // The encoder returns its own buffer, which must be copied before the next call.
    encode: (samples) => lame.encode([samples]).slice(),
    finish: () => lame.finalize().slice(),
    free() {},
  };
}

function asOutputRate(sampleRate: number): (typeof sampleRates.mp3)[number] {
  const rate = sampleRates.mp3.find((allowed) => allowed === sampleRate);
  if (rate === undefined) throw new RangeError(`mp3 has no sample rate of ${sampleRate} Hz`);
  return rate;
}

function asBitrate(bitrate: number): (typeof mp3Bitrates)[number] {
  const match = mp3Bitrates.find((allowed) => allowed === bitrate);
  if (match === undefined) throw new RangeError(`mp3 has no bitrate of ${bitrate} kbit/s`);
  return match;
}
