import {
  createOggPageWalker,
  joinBytes,
  opusPacketSamples,
  readOpusHead,
  viewOf,
  writeOggComments,
} from '@speech-api/audio';
import { joinOgg, oggTrack, vendor, writeOgg } from './ogg-parts.ts';
import { channelsOf, type Packet, type PacketCodec } from './track.ts';

/** Decoding always gives this rate. */
const opusRate = 48_000;
const longestPacketSamples = 5760;
/** 20 ms of silence as every encoder writes it: CELT, full band, one coded channel. */
const silence: Packet = { bytes: Uint8Array.of(0xf8, 0xff, 0xfe), samples: 960 };

/** Opus, whatever container its packets come from; its parts are Ogg files. */
export function openOpus(head: Uint8Array, container: string): PacketCodec {
  const { channels, preSkip } = readOpusHead(head);
  const comments = writeOggComments('OpusTags', vendor);
  // A part's warm-up is counted, so its players must not skip anything.
  const headOfPart = head.slice();
  viewOf(headOfPart).setUint16(10, 0, true);
  return {
    skipIsInHead: true,
    samplesOf(packet) {
      const samples = opusPacketSamples(packet);
      return samples === 0 || samples > longestPacketSamples ? undefined : samples;
    },
    track: {
      description: `${container} Opus (${channelsOf(channels)})`,
      ...oggTrack,
      sampleRate: opusRate,
      skippedSamples: preSkip,
      headerBytes: 2 * 28 + head.length + 32,
      write: (packets) => writeOgg([headOfPart, comments], packets),
      startJoined: () => ({ writer: joinOgg([head, comments]), skippedSamples: preSkip }),
      // Streams of more channels need another decoder, so their parts overlap.
      ...(channels <= 2 ? { decode: (file: Uint8Array) => decodeOpus(file, channels) } : {}),
      silence,
    },
  };
}

async function decodeOpus(file: Uint8Array, count: number) {
  const { createDecoder } = await import('libopus-wasm');
  const sampleRate = 16_000;
  const decoder = await createDecoder({ channels: count as 1 | 2, sampleRate });
  const pieces: Float32Array<ArrayBuffer>[] = [];
  try {
    for (const { packets } of createOggPageWalker().push(file).slice(2)) {
      for (const bytes of packets) pieces.push(decoder.decodeFloat(bytes).slice());
    }
  } finally {
    decoder.free();
  }
  const all = new Float32Array(joinBytes(pieces.map(({ buffer }) => new Uint8Array(buffer))).buffer);
  // The samples of two channels alternate.
  const channels = Array.from({ length: count }, (_, channel) =>
    Float32Array.from({ length: all.length / count }, (_sample, index) => all[count * index + channel] ?? 0),
  );
  return { channels, sampleRate };
}
