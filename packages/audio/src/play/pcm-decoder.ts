import { joinBytes, viewOf } from '../bytes.ts';
import { AudioFormatError } from '../errors.ts';
import { createWavReader } from '../wav-reader.ts';
import type { SampleDecoder, SampleSink } from './sample-decoder.ts';

interface Layout {
  readonly sampleRate: number;
  readonly channels: number;
}

/** Raw 16-bit little-endian mono samples. */
export function createPcmDecoder(sampleRate: number, sink: SampleSink): SampleDecoder {
  return createInterleavedDecoder(
    () => ({ sampleRate, channels: 1 }),
    (bytes) => bytes,
    sink,
  );
}

/** A wav file with 16-bit samples. */
export function createWavDecoder(sink: SampleSink): SampleDecoder {
  const reader = createWavReader();
  const layout = () => {
    const { header } = reader;
    if (header !== undefined && (header.encoding !== 'integer' || header.bitsPerSample !== 16)) {
      throw new AudioFormatError('Only wav files with 16-bit integer samples can be played.', 'unsupported');
    }
    return header;
  };
  return createInterleavedDecoder(layout, reader.push, sink);
}

function createInterleavedDecoder(
  layoutOf: () => Layout | undefined,
  samplesOf: (bytes: Uint8Array) => Uint8Array,
  sink: SampleSink,
): SampleDecoder {
  let carried: Uint8Array = new Uint8Array(0);
  return {
    async write(bytes) {
      const samples = samplesOf(bytes);
      const layout = layoutOf();
      if (layout === undefined) return;
      const available = joinBytes(carried, samples);
      const frames = Math.floor(available.length / (layout.channels * 2));
      const used = frames * layout.channels * 2;
      if (frames > 0) {
        sink({ sampleRate: layout.sampleRate, channels: separate(available, layout.channels, frames) });
      }
      carried = available.slice(used);
    },
    async end() {},
    close() {},
    pendingSeconds: 0,
  };
}

function separate(bytes: Uint8Array, channels: number, frames: number): Float32Array<ArrayBuffer>[] {
  const view = viewOf(bytes);
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(frames);
    for (let frame = 0; frame < frames; frame++) {
      samples[frame] = view.getInt16((frame * channels + channel) * 2, true) / 32768;
    }
    return samples;
  });
}
