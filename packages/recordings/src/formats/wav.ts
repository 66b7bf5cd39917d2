import {
  createWavReader,
  joinBytes,
  readWavHeader,
  sampleReaderOf,
  viewOf,
  type WavHeader,
  writeWavHeader,
  writeWavHeaderOf,
} from '@speech-api/audio';
import { damaged, unsupported } from '../errors.ts';
import {
  channelsOf,
  type JoinedWriter,
  type Packet,
  type PacketCodec,
  type Track,
  type TrackEvent,
  type TrackReader,
} from './track.ts';

/** Blocks are short compared with any pause; each block is an object. */
const blockSeconds = 0.1;

/** @param fileBytes - of the whole file, where that is known */
export function openWav(fileBytes = Number.POSITIVE_INFINITY): TrackReader {
  const reader = createWavReader(fileBytes);
  let track: Track | undefined;
  let rest = new Uint8Array(0);

  function readSamples(header: WavHeader, samples: Uint8Array): TrackEvent[] {
    const events: TrackEvent[] = [];
    if (track === undefined) {
      track = createWavTrack(header);
      const present = fileBytes - header.dataOffset;
      const isShort = (header.declaredDataBytes ?? 0) - present >= header.bytesPerFrame;
      const breaksOffAfter = isShort ? present / header.bytesPerFrame / header.sampleRate : undefined;
      events.push({ type: 'track', track, breaksOffAfter });
    }
    const bytes = rest.length === 0 ? samples : joinBytes([rest, samples]);
    const wholeBytes = bytes.length - (bytes.length % blockBytesOf(header));
    for (const packet of blocksOf(header, bytes.subarray(0, wholeBytes)))
      events.push({ type: 'packet', packet });
    rest = bytes.slice(wholeBytes);
    return events;
  }

  return {
    push(piece) {
      const samples = reader.push(piece);
      return reader.header === undefined ? [] : readSamples(reader.header, samples);
    },
    end() {
      const { header, missingBytes } = reader;
      if (header === undefined) throw damaged('wav file', 'it ends before its samples begin');
      const last = rest.subarray(0, rest.length - (rest.length % header.bytesPerFrame));
      const packets = blocksOf(header, last).map((packet) => ({ type: 'packet' as const, packet }));
      const isTruncated = missingBytes >= header.bytesPerFrame;
      return [...packets, { type: 'track-end', trimmedSamples: 0, isTruncated }];
    },
  };
}

function blocksOf(header: WavHeader, samples: Uint8Array): Packet[] {
  const blockBytes = blockBytesOf(header);
  const blocks: Packet[] = [];
  for (let start = 0; start < samples.length; start += blockBytes) {
    const bytes = samples.subarray(start, start + blockBytes);
    blocks.push({ bytes, samples: Math.floor(bytes.length / header.bytesPerFrame) });
  }
  return blocks;
}

/** A tag of the chunk `fmt `, and the bits of a sample. */
export type PcmEncoding = readonly [tag: number, bits: number];

/** The samples of another container, whose packets may hold many of them. */
export function openPcm(encoding: PcmEncoding, channels: number, sampleRate: number): PacketCodec {
  const [formatTag, bitsPerSample] = encoding;
  const header = readWavHeader(writeWavHeader({ sampleRate, channels, bitsPerSample, formatTag }));
  if (header === undefined) throw new RangeError('A header that was written can be read.');
  return {
    track: createWavTrack(header),
    samplesOf: ({ length }) => Math.floor(length / header.bytesPerFrame),
    split: (packet) => blocksOf(header, packet),
    skipIsInHead: true,
  };
}

function blockBytesOf({ sampleRate, bytesPerFrame }: WavHeader): number {
  return Math.max(1, Math.round(sampleRate * blockSeconds)) * bytesPerFrame;
}

const names = { integer: 'PCM', float: 'float', 'a-law': 'A-law', 'mu-law': 'mu-law' } as const;

function createWavTrack(header: WavHeader): Track {
  const { encoding, formatTag, sampleRate, channels, bitsPerSample, format } = header;
  if (encoding === 'other')
    throw unsupported(`a wav file of codec 0x${formatTag.toString(16).padStart(4, '0')}`);
  if (sampleRate < 1000 || sampleRate > 1_000_000)
    throw damaged('wav file', `its format says ${sampleRate} Hz`);
  const headerBytes = writeWavHeaderOf(format).length;
  const readSample = sampleReaderOf(header);
  return {
    description: `wav (${bitsPerSample}-bit ${names[encoding]}, ${channelsOf(channels)}, ${sampleRate} Hz)`,
    extension: 'wav',
    mediaType: 'audio/wav',
    sampleRate,
    skippedSamples: 0,
    warmUpSeconds: 0,
    tailPackets: 0,
    headerBytes,
    packetOverhead: () => 0,
    write: (packets) => writeWav(format, packets),
    startJoined: () => ({ writer: createWavWriter(format), skippedSamples: 0 }),
    ...(readSample && {
      // Some 8000 samples a second of each channel are enough to measure loudness.
      decode: async (file: Uint8Array) => {
        const every = Math.max(1, Math.floor(sampleRate / 8000));
        const view = viewOf(file.subarray(headerBytes));
        const step = header.bytesPerFrame;
        const length = Math.floor(view.byteLength / step / every);
        const decoded = Array.from({ length: channels }, (_channel, channel) =>
          Float32Array.from({ length }, (_sample, index) =>
            readSample(view, index * every * step + (channel * step) / channels),
          ),
        );
        return { channels: decoded, sampleRate: sampleRate / every };
      },
    }),
  };
}

function writeWav(format: Uint8Array, packets: readonly Packet[]): Uint8Array[] {
  const dataBytes = packets.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const header = writeWavHeaderOf(format, dataBytes);
  return [header, ...packets.map(({ bytes }) => bytes), new Uint8Array(dataBytes & 1)];
}

function createWavWriter(format: Uint8Array): JoinedWriter {
  let header = [writeWavHeaderOf(format)];
  return {
    write({ bytes }) {
      const pieces = [...header, bytes];
      header = [];
      return pieces;
    },
    end: () => [],
  };
}
