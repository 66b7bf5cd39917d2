import { audioChannels, bitsPerSample } from '@speech-api/types';

/** Properties of one stream of Opus. */
export interface OggOpusOptions {
  /** The number of the stream: the same for the same request, and unique within a file. */
  readonly serial: number;
  /** Samples at 48 kHz that a decoder discards at the start. */
  readonly preSkip: number;
  /** Hz of what was encoded. */
  readonly inputSampleRate: number;
  /** The maker of the stream, for its comments. */
  readonly vendor: string;
}

/** Writes Opus in Ogg (RFC 7845 and 3533), page by page; no packet runs over the end of its page. */
export class OggOpusWriter {
  readonly #options: OggOpusOptions;
  #pages = 0;

  constructor(options: OggOpusOptions) {
    this.#options = options;
  }

  /** The two pages before the first packet of audio. */
  head(): Uint8Array {
    const { preSkip, inputSampleRate, vendor } = this.#options;
    const identification = Buffer.alloc(19);
    identification.write('OpusHead', 'latin1');
    identification.writeUInt8(1, 8);
    identification.writeUInt8(audioChannels.opus, 9);
    identification.writeUInt16LE(preSkip, 10);
    identification.writeUInt32LE(inputSampleRate, 12);
    const comments = Buffer.alloc(16 + vendor.length);
    comments.write('OpusTags', 'latin1');
    comments.writeUInt32LE(vendor.length, 8);
    comments.write(vendor, 12, 'latin1');
    return Buffer.concat([this.page([identification], 0), this.page([comments], 0)]);
  }

  /**
   * A page with these packets, all of them whole.
   *
   * @param granule samples at 48 kHz up to the end of the last packet, pre-skip included
   */
  page(packets: readonly Uint8Array[], granule: number, { last = false } = {}): Uint8Array {
    const lacing = packets.flatMap(({ length }) => [
      ...Array(Math.floor(length / 255)).fill(255),
      length % 255,
    ]);
    const head = Buffer.alloc(27 + lacing.length);
    head.write('OggS', 'latin1');
    head.writeUInt8((this.#pages === 0 ? 2 : 0) | (last ? 4 : 0), 5);
    head.writeBigInt64LE(BigInt(granule), 6);
    head.writeUInt32LE(this.#options.serial, 14);
    head.writeUInt32LE(this.#pages, 18);
    head.writeUInt8(lacing.length, 26);
    head.set(lacing, 27);
    this.#pages += 1;
    const page = Buffer.concat([head, ...packets]);
    page.writeUInt32LE(oggChecksum(page), 22);
    return page;
  }
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
  return value >>> 0;
});

/** The checksum of a page whose own field for it is still zero. */
export function oggChecksum(page: Uint8Array): number {
  let value = 0;
  for (const byte of page) value = ((value << 8) ^ (table[((value >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return value;
}

/** Placeholder for both sizes of a header that is written before the length is known. */
const unknownSize = 0xffff_ffff;

/**
 * The header of a wav file with 16-bit samples.
 *
 * @param dataBytes bytes of samples that follow; omitted if not known yet, as in every streamed wav
 */
export function wavHeader(sampleRate: number, dataBytes?: number): Buffer {
  const channels = audioChannels.wav;
  const frameBytes = (channels * bitsPerSample.wav) / 8;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(dataBytes === undefined ? unknownSize : 36 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * frameBytes, 28);
  header.writeUInt16LE(frameBytes, 32);
  header.writeUInt16LE(bitsPerSample.wav, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes ?? unknownSize, 40);
  return header;
}
