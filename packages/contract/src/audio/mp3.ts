import { MPEGDecoder } from 'mpg123-decoder';
import { type AudioFacts, type AudioFlaw, Heard } from './audio-facts.ts';

/** Walks over every frame, and has all of them decoded. */
export async function inspectMp3(bytes: Uint8Array): Promise<AudioFacts> {
  const { frames, damage, cut } = walk(bytes);
  const heard = new Heard();
  const decoder = new MPEGDecoder({ enableGapless: false });
  await decoder.ready;
  const { channelData, errors } = decoder.decode(bytes);
  heard.add(channelData[0] ?? new Float32Array());
  decoder.free();
  const rates = frames.map(({ sampleRate }) => sampleRate);
  const sampleRate = rates[0];
  const channels = Math.max(0, ...frames.map((frame) => frame.channels));
  const changes = frames.findIndex((frame) => frame.sampleRate !== sampleRate);
  const samples = frames.reduce((sum, frame) => sum + frame.samples, 0);
  const refused = errors.map(({ message, inputBytes }) => ({
    message: `the decoder says ${message}`,
    byte: inputBytes,
  }));
  return {
    format: 'mp3',
    described: 'mp3',
    ...(sampleRate !== undefined && { sampleRate }),
    ...(channels > 0 && { channels }),
    samples,
    seconds: samples / (sampleRate ?? 1),
    peak: heard.peak,
    frameBitrates: [...new Set(frames.map(({ kbps }) => kbps))],
    damage: [
      ...damage,
      ...(changes > 0 ? [{ message: `the sample rate changes at frame ${changes}`, byte: 0 }] : []),
      // The decoder fails at a missing end too, which is already reported as `cut`.
      ...(cut === undefined ? refused : []),
    ],
    ...(cut !== undefined && { cut }),
    fingerprint: heard.fingerprint,
  };
}

function walk(bytes: Uint8Array): { frames: Mp3Frame[]; damage: AudioFlaw[]; cut?: AudioFlaw } {
  const frames: Mp3Frame[] = [];
  const damage: AudioFlaw[] = [];
  let position = skipTags(bytes);
  for (let isFirst = true; position < bytes.length; isFirst = false) {
    const frame = readFrame(bytes, position);
    if (frame === undefined) {
      if (isTrailer(bytes, position)) break;
      if (bytes.length - position < 4)
        return { frames, damage, cut: { message: 'half a frame head', byte: position } };
      const next = findFrame(bytes, position + 1);
      damage.push({
        message: `${(next ?? bytes.length) - position} bytes outside of frames`,
        byte: position,
      });
      if (next === undefined) break;
      position = next;
      continue;
    }
    if (position + frame.bytes > bytes.length) {
      const there = bytes.length - position;
      return {
        frames,
        damage,
        cut: { message: `the last frame has ${there} of ${frame.bytes} bytes`, byte: position },
      };
    }
    // The first frame may hold a table of contents instead of sound.
    if (!(isFirst && isContents(bytes, position + frame.sideInformationEnds))) frames.push(frame);
    position += frame.bytes;
  }
  return { frames, damage };
}

function isContents(bytes: Uint8Array, position: number): boolean {
  const name = Buffer.from(bytes.subarray(position, position + 4)).toString('latin1');
  return name === 'Xing' || name === 'Info';
}

function isTrailer(bytes: Uint8Array, position: number): boolean {
  const name = Buffer.from(bytes.subarray(position, position + 8)).toString('latin1');
  return name.startsWith('TAG') || name === 'APETAGEX';
}

/** The next frame that another one follows, or that ends the file. */
function findFrame(bytes: Uint8Array, from: number): number | undefined {
  for (let position = from; position < bytes.length - 4; position += 1) {
    const frame = readFrame(bytes, position);
    if (frame === undefined) continue;
    const end = position + frame.bytes;
    if (end === bytes.length || readFrame(bytes, end) !== undefined) return position;
  }
  return undefined;
}

/** The head of a frame of MPEG audio, layer III. */
interface Mp3Frame {
  readonly bytes: number;
  readonly kbps: number;
  readonly sampleRate: number;
  readonly samples: number;
  readonly channels: number;
  /** Offset in bytes where a Xing or Info header would begin. */
  readonly sideInformationEnds: number;
}

const kbpsOfVersion1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const kbpsOfVersion2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const ratesOfVersion1 = [44_100, 48_000, 32_000];

/** The frame that begins here; `undefined` where none does. */
export function readFrame(bytes: Uint8Array, position: number): Mp3Frame | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(position, position + 4);
  const version = (second >> 3) & 3;
  if (first !== 0xff || (second & 0xe6) !== 0xe2 || version === 1) return undefined;
  const isVersion1 = version === 3;
  const kbps = (isVersion1 ? kbpsOfVersion1 : kbpsOfVersion2)[third >> 4];
  const fullRate = ratesOfVersion1[(third >> 2) & 3];
  if (kbps === undefined || kbps === 0 || fullRate === undefined) return undefined;
  const sampleRate = fullRate / (isVersion1 ? 1 : version === 2 ? 2 : 4);
  const padding = (third >> 1) & 1;
  const channels = fourth >> 6 === 3 ? 1 : 2;
  const sideInformation = isVersion1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  return {
    bytes: Math.floor(((isVersion1 ? 144_000 : 72_000) * kbps) / sampleRate) + padding,
    kbps,
    sampleRate,
    samples: isVersion1 ? 1152 : 576,
    channels,
    sideInformationEnds: 4 + sideInformation,
  };
}

/** Position in bytes of the first frame, after any ID3 tags. */
export function skipTags(bytes: Uint8Array): number {
  let position = 0;
  while (Buffer.from(bytes.subarray(position, position + 3)).toString('latin1') === 'ID3') {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(position + 6, position + 10);
    position += 10 + ((a & 127) << 21) + ((b & 127) << 14) + ((c & 127) << 7) + (d & 127);
  }
  return position;
}
