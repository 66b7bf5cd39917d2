import { OggWriter, writeOggComments, writeOpusHead, writeWavHeader } from '@speech-api/audio';
import { type AudioFormat, audioChannels, bitsPerSample } from '@speech-api/types';
import { mp3Frames, opusPackets } from './frames.ts';

export interface SoundSettings {
  readonly format: AudioFormat;
  readonly sampleRate: number;
  /** kbps. */
  readonly mp3Bitrate: number;
  /** bps; negative for automatic. */
  readonly opusBitrate: number;
}

/** A tone that is written piece by piece, in one format. Times are seconds from its start and never go back. */
export interface Sound {
  /** The next bytes of audio up to this time, in whole frames. */
  until(seconds: number): Uint8Array;
  /** The remaining bytes up to the total duration, with the end of the stream. */
  finish(seconds: number): Uint8Array;
}

const makers: Readonly<Record<AudioFormat, (settings: SoundSettings) => Sound>> = {
  wav: (settings) => createPcm(settings, [writeWavHeader(settings)]),
  pcm: createPcm,
  mp3: createMp3,
  opus: createOpus,
};

export function createSound(settings: SoundSettings): Sound {
  return makers[settings.format](settings);
}

const bytesPerSample = bitsPerSample.pcm / 8;
/** Hz: a whole number of periods a second, so that a second can be repeated without a click. */
const frequency = 440;
const loudness = 8_000;
const seconds = new Map<number, Buffer>();

/** 16-bit samples, little-endian, mono, behind a header without sizes where there is one, as in every streamed wav. */
function createPcm({ sampleRate }: SoundSettings, header: Uint8Array[] = []): Sound {
  const second = secondOf(sampleRate);
  let written = 0;
  const write = (samples: number): Uint8Array => {
    const pieces = header.splice(0);
    while (written < samples) {
      const start = written % sampleRate;
      const count = Math.min(samples - written, sampleRate - start);
      pieces.push(second.subarray(start * bytesPerSample, (start + count) * bytesPerSample));
      written += count;
    }
    return Buffer.concat(pieces);
  };
  return {
    until: (time) => write(Math.floor(time * sampleRate)),
    finish: (time) => write(Math.round(time * sampleRate)),
  };
}

function secondOf(sampleRate: number): Buffer {
  const cached = seconds.get(sampleRate);
  if (cached !== undefined) return cached;
  const bytes = Buffer.alloc(sampleRate * bytesPerSample);
  for (let index = 0; index < sampleRate; index += 1) {
    const sample = loudness * Math.sin((2 * Math.PI * frequency * index) / sampleRate);
    bytes.writeInt16LE(Math.round(sample), index * bytesPerSample);
  }
  seconds.set(sampleRate, bytes);
  return bytes;
}

const samplesPerFrame = 1152;
/** The padding bit in the third byte: the frame has one byte more than its bitrate requires. */
const paddingBit = 0b10;

function createMp3({ sampleRate, mp3Bitrate }: SoundSettings): Sound {
  const frame = Buffer.from(mp3Frames[`${sampleRate} ${mp3Bitrate}`] ?? '', 'base64');
  const padded = Buffer.concat([frame, Buffer.alloc(1)]);
  padded.writeUInt8(padded.readUInt8(2) | paddingBit, 2);
  const bytesPerSecond = (mp3Bitrate * 1000) / 8;
  /** Whole bytes that this many frames take at the bitrate. */
  const bytesOf = (frames: number): number =>
    Math.floor((frames * samplesPerFrame * bytesPerSecond) / sampleRate);
  let written = 0;
  const write = (frames: number): Uint8Array => {
    const pieces: Uint8Array[] = [];
    for (; written < frames; written += 1) {
      // A frame is padded when the fractions of bytes that its predecessors left out add up to a byte.
      const frameBytes = bytesOf(written + 1) - bytesOf(written);
      pieces.push(frameBytes > frame.length ? padded : frame);
    }
    return Buffer.concat(pieces);
  };
  const framesIn = (seconds: number): number => (seconds * sampleRate) / samplesPerFrame;
  return {
    until: (seconds) => write(Math.floor(framesIn(seconds))),
    finish: (seconds) => write(Math.ceil(framesIn(seconds))),
  };
}

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

function createOpus({ sampleRate, opusBitrate }: SoundSettings): Sound {
  const bitrate = opusBitrate < 0 ? automaticBitrate : opusBitrate;
  const packet = Buffer.from(opusPackets[bitrate] ?? '', 'base64');
  const ogg = new OggWriter(serial);
  const opusHead = writeOpusHead({ channels: audioChannels.opus, preSkip }, sampleRate);
  let head = [ogg.headers([opusHead, writeOggComments('OpusTags', 'speech-mock')])];
  let written = 0;
  const write = (packets: number, end?: number): Uint8Array => {
    const pieces = head;
    head = [];
    while (written < packets) {
      const count = Math.min(packets - written, packetsPerPage);
      written += count;
      const last = end !== undefined && written === packets;
      const granule = last ? end : written * packetPositions;
      pieces.push(ogg.page(Array(count).fill(packet), granule, last));
    }
    return Buffer.concat(pieces);
  };
  return {
    // One packet is held back, because the page that ends the stream must not be empty.
    until: (seconds) => write(Math.floor((seconds * positionsPerSecond) / packetPositions) - 1),
    finish(seconds) {
      const end = preSkip + Math.round(seconds * positionsPerSecond);
      return write(Math.ceil(end / packetPositions), end);
    },
  };
}
