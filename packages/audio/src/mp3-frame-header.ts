import { hasText, viewOf } from './bytes.ts';

/** What the four bytes at the head of an MPEG layer III frame say. */
export interface Mp3FrameHeader {
  /** MPEG version: 1, 2 or 2.5. */
  readonly version: 1 | 2 | 2.5;
  /** Hz. */
  readonly sampleRate: number;
  /** kbps. */
  readonly bitrate: number;
  readonly channels: 1 | 2;
  /** Samples of each channel: 1152, or 576 for versions 2 and 2.5. */
  readonly samples: number;
  /** Bytes of the whole frame. */
  readonly frameBytes: number;
}

/** Samples that an encoder put before and after the audio, as its information frame says. */
export interface Mp3Information {
  readonly delaySamples: number;
  readonly paddingSamples: number;
}

export const mp3HeaderBytes = 4;

const bitratesOfVersion1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitratesOfVersion2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRatesOfVersion1 = [44100, 48000, 32000];

/** @returns undefined where no layer III frame begins; frames of free bitrate count as none */
export function readMp3FrameHeader(bytes: Uint8Array, position: number): Mp3FrameHeader | undefined {
  if (position + mp3HeaderBytes > bytes.length) return undefined;
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(position, position + mp3HeaderBytes);
  const isLayerThree = first === 0xff && (second & 0xe6) === 0xe2;
  const versionBits = (second >> 3) & 3;
  const rate = sampleRatesOfVersion1[(third >> 2) & 3];
  const isVersion1 = versionBits === 3;
  const bitrate = (isVersion1 ? bitratesOfVersion1 : bitratesOfVersion2)[third >> 4];
  const emphasisIsReserved = (fourth & 3) === 2;
  if (!isLayerThree || versionBits === 1 || rate === undefined || !bitrate || emphasisIsReserved)
    return undefined;
  const version = isVersion1 ? 1 : versionBits === 2 ? 2 : 2.5;
  const sampleRate = rate / (isVersion1 ? 1 : version === 2 ? 2 : 4);
  const samples = isVersion1 ? 1152 : 576;
  const padding = (third >> 1) & 1;
  return {
    version,
    sampleRate,
    bitrate,
    channels: fourth >> 6 === 3 ? 1 : 2,
    samples,
    frameBytes: Math.floor((samples / 8) * ((bitrate * 1000) / sampleRate)) + padding,
  };
}

/** Frames of one stream agree in these; anything else is a chance match in other data. */
export function belongTogether(left: Mp3FrameHeader, right: Mp3FrameHeader): boolean {
  return left.version === right.version && left.sampleRate === right.sampleRate;
}

/** @returns what a Xing, Info or VBRI frame says; undefined for a frame of audio */
export function readMp3Information(frame: Uint8Array, header: Mp3FrameHeader): Mp3Information | undefined {
  const sideInformation =
    header.version === 1 ? (header.channels === 1 ? 17 : 32) : header.channels === 1 ? 9 : 17;
  const tag = mp3HeaderBytes + sideInformation;
  if (hasText(frame, mp3HeaderBytes + 32, 'VBRI')) return { delaySamples: 0, paddingSamples: 0 };
  if (!hasText(frame, tag, 'Xing') && !hasText(frame, tag, 'Info')) return undefined;
  const view = viewOf(frame);
  if (tag + 8 > frame.length) return { delaySamples: 0, paddingSamples: 0 };
  const flags = view.getUint32(tag + 4);
  // Counts of frames and bytes, the seek table and the quality are each optional.
  const lame =
    tag + 8 + (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0);
  if (lame + 24 > frame.length) return { delaySamples: 0, paddingSamples: 0 };
  const packed = (view.getUint16(lame + 21) << 8) | view.getUint8(lame + 23);
  return { delaySamples: packed >> 12, paddingSamples: packed & 0xfff };
}
