import { createHash } from 'node:crypto';

/** Facts found in audio bytes, whatever format was declared. */
export interface AudioFacts {
  /** One of the four formats, or `other`. */
  readonly format: 'wav' | 'pcm' | 'mp3' | 'opus' | 'other';
  /** The format in words, such as `FLAC` or `text`. */
  readonly described: string;
  /** Hz. For samples without a header, the rate that was asked for. */
  readonly sampleRate?: number;
  readonly channels?: number;
  /** Of uncompressed audio. */
  readonly bitsPerSample?: number;
  /** Of one channel. */
  readonly samples: number;
  readonly seconds: number;
  /** The loudest sample, 0 to 1. */
  readonly peak: number;
  /** Of mp3: every bitrate that a frame of audio has, in kbps. */
  readonly frameBitrates?: readonly number[];
  /** Of opus: what its packets take on average, in bits per second. */
  readonly bitsPerSecond?: number;
  /** Pieces that no decoder accepts. */
  readonly damage: readonly AudioFlaw[];
  /** The end is missing. */
  readonly cut?: AudioFlaw;
  /** A size in the header that is neither true nor a placeholder. */
  readonly wrongSize?: AudioFlaw;
  /** Samples that make sense only with their bytes swapped. */
  readonly looksByteSwapped?: boolean;
  /** Samples without a header that come in equal pairs, as those of two channels. */
  readonly looksPaired?: boolean;
  /** SHA-256 of the samples, in hexadecimal. */
  readonly fingerprint: string;
}

export interface AudioFlaw {
  readonly message: string;
  /** Of a flaw that counts less than its rule says. */
  readonly severity?: 'warning';
  /** Its position, in bytes. */
  readonly byte: number;
}

/** The requested format and rate; without them, samples that have no header cannot be understood. */
export interface ExpectedAudio {
  readonly format: 'wav' | 'pcm' | 'mp3' | 'opus';
  readonly sampleRate: number;
}

/** The bytes of strict base64: standard alphabet, padded, nothing else; `undefined` when it is not base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node's decoder skips what it does not know; only the text that the bytes are written as is the right one.
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** Sound changes little from one sample to the next; with its bytes swapped it is noise. */
export function looksByteSwapped(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.min(Math.floor(bytes.length / 2), 200_000);
  let asIs = 0;
  let swapped = 0;
  for (let index = 1; index < count; index += 1) {
    asIs += Math.abs(view.getInt16(index * 2, true) - view.getInt16(index * 2 - 2, true));
    swapped += Math.abs(view.getInt16(index * 2, false) - view.getInt16(index * 2 - 2, false));
  }
  return count > 1000 && asIs > 3 * swapped && swapped > 0;
}

/** Listens to samples as they are decoded. */
export class Heard {
  readonly #hash = createHash('sha256');
  peak = 0;
  samples = 0;

  /** @param block of one channel, -1 to 1 */
  add(block: Float32Array): void {
    for (const sample of block) {
      const loudness = Math.abs(sample);
      if (loudness > this.peak) this.peak = loudness;
    }
    this.samples += block.length;
    this.#hash.update(new Uint8Array(block.buffer, block.byteOffset, block.byteLength));
  }

  /** @param bytes little-endian samples of 16 bits; half a sample at the end is left out */
  addPcm(bytes: Uint8Array, channels: number): void {
    const count = Math.floor(bytes.length / 2);
    const view = new DataView(bytes.buffer, bytes.byteOffset, count * 2);
    for (let index = 0; index < count; index += 1) {
      const loudness = Math.abs(view.getInt16(index * 2, true)) / 32_768;
      if (loudness > this.peak) this.peak = loudness;
    }
    this.samples += Math.floor(count / channels);
    this.#hash.update(bytes.subarray(0, count * 2));
  }

  get fingerprint(): string {
    return this.#hash.digest('hex');
  }
}
