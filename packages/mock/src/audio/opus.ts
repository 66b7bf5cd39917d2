import { OggOpusWriter } from '@speech-api/server/audio';
import { opusPackets } from './frames.ts';
import type { Sound, SoundSettings } from './sound.ts';

/** Positions in an Opus stream are counted at 48 kHz, whatever it was made from. */
const positionsPerSecond = 48_000;
const packetPositions = 960;
/** Samples that a decoder discards at the start: the encoder delay of libopus. */
const preSkip = 312;
/** Bitrate for `automatic`: the default of the interface. */
const automaticBitrate = 32_000;
/** A page has room for this many packets; a second of sound is fifty. */
const packetsPerPage = 50;

const serial = 0x5eec;

/** One packet of a tone, repeated, in an Ogg stream. */
export function createOpus({ sampleRate, opusBitrate }: SoundSettings): Sound {
  const packet = Buffer.from(packetOf(opusBitrate < 0 ? automaticBitrate : opusBitrate), 'base64');
  const ogg = new OggOpusWriter({ serial, preSkip, inputSampleRate: sampleRate, vendor: 'speech-mock' });
  let head = [ogg.head()];
  let written = 0;
  const write = (packets: number, end?: number): Uint8Array => {
    const pieces = head;
    head = [];
    while (written < packets) {
      const count = Math.min(packets - written, packetsPerPage);
      written += count;
      const last = end !== undefined && written === packets;
      const granule = last ? end : written * packetPositions;
      pieces.push(ogg.page(Array(count).fill(packet), granule, { last }));
    }
    return Buffer.concat(pieces);
  };
  return {
    // One packet is kept back: the page that ends the stream must have something in it.
    until: (seconds) => write(Math.floor((seconds * positionsPerSecond) / packetPositions) - 1),
    finish(seconds) {
      const end = preSkip + Math.round(seconds * positionsPerSecond);
      return write(Math.ceil(end / packetPositions), end);
    },
  };
}

function packetOf(bitrate: number): string {
  const packet = opusPackets[bitrate];
  if (packet === undefined) throw new Error(`There is no opus packet of ${bitrate} bps.`);
  return packet;
}
