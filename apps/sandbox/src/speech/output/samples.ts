import { writeWavHeader } from '@speech-api/audio';
import { type AudioFormat, unenforcedLimits } from '@speech-api/types';

type Numbers = Uint8Array | Int16Array | Float32Array;

/** One array of its own memory, so that it can be handed to another thread. */
export function joinArrays<List extends Numbers>(
  create: new (length: number) => List,
  parts: readonly List[],
): List {
  const joined = new create(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  return joinArrays<Uint8Array>(Uint8Array, parts);
}

const blockLength = 220;
/** A block below this power is a pause and does not count towards loudness. */
const silence = 10 ** (-45 / 10);
/** Average power of the engine's voices in their voiced parts. */
const usualPower = 10 ** (-20.5 / 10);
const wantedPower = 10 ** (-21 / 10);
/** Share of a new block in the estimate: about one second of speech. */
const memory = 0.01;
const mostGain = 10 ** (8 / 20);

/** Makes samples louder or softer, one by one and in place. */
export interface Leveller {
  /** @param samples 22 050 Hz, -1 to 1 */
  apply(samples: Float32Array): void;
}

/** Brings voices to one loudness: follows the level of the speech slowly, and leaves the pauses alone. */
export function createLeveller(): Leveller {
  let power = usualPower;
  let gain = Math.sqrt(wantedPower / usualPower);
  let blockPower = 0;
  let blockFill = 0;
  let step = 0;
  return {
    apply(samples) {
      for (let index = 0; index < samples.length; index += 1) {
        const sample = samples[index] ?? 0;
        blockPower += sample * sample;
        blockFill += 1;
        if (blockFill === blockLength) {
          const mean = blockPower / blockLength;
          if (mean > silence) power += memory * (mean - power);
          const factor = Math.min(Math.sqrt(wantedPower / power), mostGain);
          step = (factor - gain) / blockLength;
          blockPower = 0;
          blockFill = 0;
        }
        gain += step;
        samples[index] = sample * gain;
      }
    },
  };
}

/** Leaves the differences between voices as they are, a little below full scale. */
export function createFixedGain(): Leveller {
  const gain = 10 ** (-2.5 / 20);
  return {
    apply(samples) {
      for (let index = 0; index < samples.length; index += 1) samples[index] = (samples[index] ?? 0) * gain;
    },
  };
}

const range = unenforcedLimits.prosodyVolumeDecibels;
/** Peaks stop here, because resampling may raise them a little. */
const ceiling = 0.9;
/** Decay of a peak per sample at 22 050 Hz: a release time of a tenth of a second. */
const release = Math.exp(-1 / 2205);

/**
 * A volume with a limiter: where a peak would go beyond the ceiling, the gain is lowered for a moment, so that loud speech is
 * denser instead of clipped.
 *
 * @param decibels clamped to -20..20
 */
export function createVolume(decibels: number): Leveller {
  const gain = 10 ** (Math.min(range.maximum, Math.max(range.minimum, decibels)) / 20);
  let peak = 0;
  return {
    apply(samples) {
      for (let index = 0; index < samples.length; index += 1) {
        const sample = (samples[index] ?? 0) * gain;
        peak = Math.max(Math.abs(sample), peak * release);
        samples[index] = peak > ceiling ? (sample * ceiling) / peak : sample;
      }
    },
  };
}

/** Brings the engine's samples to the loudness of a job, -1 to 1. */
export function createLoudness(normalizes: boolean, decibels: number): (samples: Int16Array) => Float32Array {
  const leveller = normalizes ? createLeveller() : createFixedGain();
  const volume = createVolume(decibels);
  return (samples) => {
    const floats = Float32Array.from(samples, (sample) => sample / 32768);
    leveller.apply(floats);
    volume.apply(floats);
    return floats;
  };
}

/** Turns samples into the bytes of one audio stream. */
export interface AudioEncoder {
  /** Seconds of silence that a player hears before the first sample. */
  readonly leadingSeconds: number;
  /**
   * The bytes that are complete by now; there may be none.
   *
   * @param samples at the stream's rate, mono, -1 to 1
   */
  encode(samples: Float32Array): Uint8Array;
  /** The rest of the stream. */
  finish(): Uint8Array;
  free(): void;
}

/** Settings that determine the form of the stream. */
export interface AudioSettings {
  readonly format: AudioFormat;
  /** Hz. */
  readonly sampleRate: number;
  /** kbit/s. */
  readonly mp3Bitrate: number;
  /** bit/s, or -1000 for automatic. */
  readonly opusBitrate: number;
}

const fullScale = 32767;

/** 16-bit little-endian samples without a header. */
export function createPcmEncoder(): AudioEncoder {
  return {
    leadingSeconds: 0,
    encode: toLittleEndian16,
    finish: () => new Uint8Array(0),
    free() {},
  };
}

export function toLittleEndian16(samples: Float32Array): Uint8Array {
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < samples.length; index += 1) {
    const sample = Math.max(-1, Math.min(1, samples[index] ?? 0));
    view.setInt16(index * 2, Math.round(sample * fullScale), true);
  }
  return bytes;
}

/** A wav stream: the header before the first samples, with placeholders for the sizes. */
export function createWavEncoder(sampleRate: number): AudioEncoder {
  let header: Uint8Array | undefined = writeWavHeader({ sampleRate });
  const withHeader = (bytes: Uint8Array): Uint8Array => {
    if (header === undefined) return bytes;
    const joined = joinBytes([header, bytes]);
    header = undefined;
    return joined;
  };
  return {
    leadingSeconds: 0,
    encode: (samples) => (samples.length === 0 ? new Uint8Array(0) : withHeader(toLittleEndian16(samples))),
    finish: () => withHeader(new Uint8Array(0)),
    free() {},
  };
}
