import { ascii, join, viewOf } from '../bytes.ts';
import type { Packet } from './track.ts';

/** What a decoder must know of a stream of AAC. */
export interface AacFormat {
  /** The bytes of the AudioSpecificConfig (ISO/IEC 14496-3). */
  readonly configuration: Uint8Array;
  readonly sampleRate: number;
  readonly channels: number;
  /** Samples of a frame: 1024, or 2048 with spectral band replication. */
  readonly frameSamples: number;
}

// Chunks of a second or so: players read ahead by chunks.
const packetsPerChunk = 50;
/** Width and height 1, nothing turned: a matrix that every track has. */
const unity = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];

/**
 * The pieces of an m4a file (ISO/IEC 14496-12 and -14) of AAC frames, which starts at 0. Dates are left out, so that the same frames
 * make the same bytes.
 */
export function writeM4a(format: AacFormat, packets: readonly Packet[]): Uint8Array[] {
  const dataBytes = packets.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const fileType = box('ftyp', ascii('M4A '), words(0x200), ascii('M4A isomiso2'));
  // The index names positions behind itself, and its length does not depend on them.
  const position = fileType.length + index(format, packets, 0).length + 8;
  const head = [fileType, index(format, packets, position), words(8 + dataBytes), ascii('mdat')];
  return [...head, ...packets.map(({ bytes }) => bytes)];
}

function index(format: AacFormat, packets: readonly Packet[], position: number): Uint8Array {
  const { sampleRate, frameSamples, channels } = format;
  const duration = packets.length * frameSamples;
  const chunks: number[] = [];
  let start = position;
  for (const [number, { bytes }] of packets.entries()) {
    if (number % packetsPerChunk === 0) chunks.push(start);
    start += bytes.length;
  }
  const rest = packets.length % packetsPerChunk;
  const full = (packets.length - rest) / packetsPerChunk;
  const runs = [...(full > 0 ? [[1, packetsPerChunk, 1]] : []), ...(rest > 0 ? [[full + 1, rest, 1]] : [])];
  const entry = box(
    'mp4a',
    new Uint8Array(6),
    halves(1, 0, 0, 0, 0, channels, 16, 0, 0),
    // The rate is written with 16 bits before its point; higher ones only the configuration can say.
    words(sampleRate < 0x1_0000 ? sampleRate * 0x1_0000 : 0),
    describe(format, packets),
  );
  const table = box(
    'stbl',
    versionedBox('stsd', words(1), entry),
    versionedBox('stts', words(1, packets.length, frameSamples)),
    versionedBox('stsc', words(runs.length, ...runs.flat())),
    versionedBox('stsz', words(0, packets.length), wordsOf(packets.map(({ bytes }) => bytes.length))),
    versionedBox('stco', words(chunks.length), wordsOf(chunks)),
  );
  const media = box(
    'mdia',
    versionedBox('mdhd', words(0, 0, sampleRate, duration), halves(0x55c4, 0)),
    versionedBox('hdlr', words(0), ascii('soun'), words(0, 0, 0), Uint8Array.of(0)),
    box(
      'minf',
      versionedBox('smhd', words(0)),
      box('dinf', versionedBox('dref', words(1), box('url ', words(1)))),
      table,
    ),
  );
  const header = versionedBox(
    'mvhd',
    words(0, 0, sampleRate, duration, 0x1_0000),
    halves(0x100, 0),
    words(0, 0, ...unity, 0, 0, 0, 0, 0, 0, 2),
  );
  // Flags 7: the track is used in the film and shown.
  const trackHeader = box(
    'tkhd',
    words(7, 0, 0, 1, 0, duration, 0, 0),
    halves(0, 0, 0x100, 0),
    words(...unity, 0, 0),
  );
  return box('moov', header, box('trak', trackHeader, media));
}

/** The descriptor in which the configuration of the decoder is. */
function describe(
  { configuration, sampleRate, frameSamples }: AacFormat,
  packets: readonly Packet[],
): Uint8Array {
  const bytes = packets.reduce((sum, packet) => sum + packet.bytes.length, 0);
  const rate = Math.round((8 * bytes * sampleRate) / Math.max(1, packets.length * frameSamples));
  const largest = packets.reduce((most, packet) => Math.max(most, packet.bytes.length), 0);
  // AAC of MPEG-4, a stream of audio.
  const decoder = descriptor(
    4,
    Uint8Array.of(0x40, 0x15),
    words(largest).subarray(1),
    words(rate, rate),
    descriptor(5, configuration),
  );
  return versionedBox(
    'esds',
    descriptor(3, halves(1), Uint8Array.of(0), decoder, descriptor(6, Uint8Array.of(2))),
  );
}

function descriptor(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = join(parts);
  // Seven bits a byte, most significant first.
  const size = [21, 14, 7].map((shift) => 0x80 | ((content.length >> shift) & 0x7f));
  return join([Uint8Array.of(tag, ...size, content.length & 0x7f), content]);
}

function box(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, part) => sum + part.length, 8);
  return join([words(size), ascii(type), ...parts]);
}

/** A box with a version and flags, all zero. */
function versionedBox(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  return box(type, words(0), ...parts);
}

function words(...values: readonly number[]): Uint8Array {
  return wordsOf(values);
}

function wordsOf(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = viewOf(bytes);
  for (const [position, value] of values.entries()) view.setUint32(4 * position, value);
  return bytes;
}

function halves(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(2 * values.length);
  const view = viewOf(bytes);
  for (const [position, value] of values.entries()) view.setUint16(2 * position, value);
  return bytes;
}
