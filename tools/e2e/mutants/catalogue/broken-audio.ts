import type { AudioFormat } from '@speech-api/types';
import { mp3Frames, silentMp3, stereoMp3 } from '../change/mp3.ts';
import { oggPages, silentOgg, stereoOgg, withPages } from '../change/ogg.ts';
import { eightBitWav, relabelledWav, silentWav, stereoWav, wavParts } from '../change/wav.ts';

/** One way to break a whole clip, wherever it comes from: one answer, a joined stream, a live session. */
export interface AudioBreak {
  readonly words: string;
  readonly format: AudioFormat;
  readonly rules: readonly string[];
  readonly change: (audio: Buffer) => Buffer;
}

const decodes = ['audio-decodes', 'audio-format'] as const;

const half = (audio: Buffer): number => Math.floor(audio.length / 2);
const flipped = (audio: Buffer, at: number, bit = 0x10): Buffer => {
  const changed = Buffer.from(audio);
  changed.writeUInt8(changed.readUInt8(at) ^ bit, at);
  return changed;
};
const without = (audio: Buffer, from: number, to: number): Buffer =>
  Buffer.concat([audio.subarray(0, from), audio.subarray(to)]);
const rubbish = Buffer.from('upstream connect error or disconnect/reset before headers');

const wav: readonly Omit<AudioBreak, 'format'>[] = [
  { words: 'is stereo', rules: ['audio-channels'], change: stereoWav },
  { words: 'is silent', rules: ['audio-not-silent'], change: silentWav },
  { words: 'has 8 bits a sample', rules: ['audio-sample-size'], change: eightBitWav },
  {
    words: 'has the header of another rate',
    rules: ['audio-sample-rate', 'audio-rate-of-format'],
    change: (audio) => relabelledWav(audio, wavParts(audio).rate === 16_000 ? 24_000 : 16_000),
  },
  {
    words: 'has a rate that no wav here has',
    rules: ['audio-rate-of-format', 'audio-sample-rate'],
    change: (audio) => relabelledWav(audio, 48_000),
  },
  {
    words: 'has no samples behind its header',
    rules: ['audio-not-empty'],
    change: (audio) => audio.subarray(0, wavParts(audio).dataAt),
  },
  {
    words: 'ends with half a sample',
    rules: ['audio-ends-whole'],
    change: (audio) => audio.subarray(0, audio.length - 1),
  },
  {
    words: 'has a flipped bit in the name of its header',
    rules: decodes,
    change: (audio) => flipped(audio, 8),
  },
  {
    words: 'has lost the first byte of its header',
    rules: decodes,
    change: (audio) => audio.subarray(1),
  },
  {
    words: 'promises other samples than it has',
    rules: ['wav-header-sizes', 'audio-ends-whole'],
    change: (audio) => {
      const changed = Buffer.from(audio);
      changed.writeUInt32LE(audio.length * 2, wavParts(audio).dataAt - 4);
      return changed;
    },
  },
  {
    words: 'calls its samples floating-point',
    rules: ['audio-sample-size', 'audio-decodes', 'audio-format'],
    change: (audio) => {
      const changed = Buffer.from(audio);
      changed.writeUInt16LE(3, wavParts(audio).formatAt);
      return changed;
    },
  },
];

const pcm: readonly Omit<AudioBreak, 'format'>[] = [
  { words: 'is silent', rules: ['audio-not-silent'], change: (audio) => Buffer.alloc(audio.length) },
  {
    words: 'ends with half a sample',
    rules: ['audio-ends-whole'],
    change: (audio) => audio.subarray(0, audio.length - 1),
  },
  { words: 'is empty', rules: ['audio-not-empty'], change: () => Buffer.alloc(0) },
];

const mp3: readonly Omit<AudioBreak, 'format'>[] = [
  { words: 'is stereo', rules: ['audio-channels'], change: stereoMp3 },
  { words: 'is silent', rules: ['audio-not-silent'], change: silentMp3 },
  { words: 'is empty', rules: ['audio-not-empty'], change: () => Buffer.alloc(0) },
  {
    words: 'is cut in the middle of a frame',
    rules: ['audio-ends-whole'],
    change: (audio) => {
      const frames = mp3Frames(audio);
      return audio.subarray(0, (frames[frames.length >> 1]?.at ?? 0) + 100);
    },
  },
  {
    words: 'has lost a byte in the middle',
    rules: decodes,
    change: (audio) => without(audio, half(audio), half(audio) + 1),
  },
  {
    words: 'has a frame without its sync word',
    rules: decodes,
    change: (audio) => {
      const frames = mp3Frames(audio);
      return flipped(audio, frames[frames.length >> 1]?.at ?? 0);
    },
  },
  {
    words: 'ends with a message in words',
    rules: ['audio-decodes', 'audio-ends-whole'],
    change: (audio) => Buffer.concat([audio, rubbish]),
  },
];

const opus: readonly Omit<AudioBreak, 'format'>[] = [
  { words: 'is stereo', rules: ['audio-channels'], change: stereoOgg },
  { words: 'is silent', rules: ['audio-not-silent'], change: silentOgg },
  { words: 'is empty', rules: ['audio-not-empty'], change: () => Buffer.alloc(0) },
  {
    words: 'has heads and no sound',
    rules: ['audio-not-empty', 'audio-ends-whole'],
    change: (audio) => audio.subarray(0, oggPages(audio)[2]?.at ?? 0),
  },
  {
    words: 'has lost its last page',
    rules: ['audio-ends-whole'],
    change: (audio) => audio.subarray(0, oggPages(audio).at(-1)?.at ?? 0),
  },
  {
    words: 'is cut in the middle of a page',
    rules: ['audio-ends-whole'],
    change: (audio) => audio.subarray(0, (oggPages(audio).at(-1)?.at ?? 0) + 40),
  },
  {
    words: 'has lost a page in the middle',
    rules: ['audio-decodes'],
    change: (audio) => {
      const pages = oggPages(audio);
      const page = pages[pages.length >> 1];
      return page === undefined ? audio : without(audio, page.at, page.at + page.length);
    },
  },
  {
    words: 'has a page twice',
    rules: ['audio-decodes'],
    change: (audio) => {
      const pages = oggPages(audio);
      const { at, length } = pages[pages.length >> 1] ?? { at: 0, length: 0 };
      return Buffer.concat([audio.subarray(0, at + length), audio.subarray(at)]);
    },
  },
  { words: 'has a flipped bit in its head', rules: decodes, change: (audio) => flipped(audio, 30) },
  { words: 'has a flipped bit in a page', rules: decodes, change: (audio) => flipped(audio, half(audio), 1) },
  {
    words: 'has a page of another stream',
    rules: decodes,
    change: (audio) =>
      withPages(audio, (page, index) => {
        if (index === 3) page.writeUInt32LE(7, 14);
      }),
  },
  {
    words: 'has a head of a version that nobody knows',
    rules: decodes,
    change: (audio) =>
      withPages(audio, (page, index, bodyAt) => {
        if (index === 0) page.writeUInt8(0x20, bodyAt + 8);
      }),
  },
  {
    words: 'has times that run backwards',
    rules: ['audio-decodes', 'audio-ends-whole'],
    change: (audio) =>
      withPages(audio, (page, index) => {
        if (index === 3) page.writeBigUInt64LE(1n, 6);
      }),
  },
];

/** Only a long text shows that much of it is missing. */
export const twentieth = 'is a twentieth of what was asked';

const shorter: readonly AudioBreak[] = (['wav', 'pcm', 'mp3'] as const).map((format) => ({
  words: twentieth,
  format,
  rules: ['audio-length-plausible'],
  change: (audio) => {
    if (format === 'mp3') {
      const frames = mp3Frames(audio);
      return audio.subarray(0, frames[Math.ceil(frames.length / 20)]?.at ?? 0);
    }
    const head = format === 'wav' ? wavParts(audio).dataAt : 0;
    return audio.subarray(0, head + 2 * Math.ceil((audio.length - head) / 40));
  },
}));

const anything: readonly AudioBreak[] = (['wav', 'mp3', 'opus'] as const).map((format) => ({
  words: 'is an error in JSON',
  format,
  rules: ['audio-format', 'audio-decodes'],
  change: () => Buffer.from('{"status":500,"message":"The engine is gone."}'),
}));

const of = (format: AudioFormat, breaks: readonly Omit<AudioBreak, 'format'>[]): AudioBreak[] =>
  breaks.map((one) => ({ ...one, format }));

/** Every way in which a clip is broken here. */
export const audioBreaks: readonly AudioBreak[] = [
  ...of('wav', wav),
  ...of('pcm', pcm),
  ...of('mp3', mp3),
  ...of('opus', opus),
  ...shorter,
  ...anything,
];
