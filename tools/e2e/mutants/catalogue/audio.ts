import { type AudioFormat, audioMediaTypes } from '@speech-api/types';
import type { RequestChange } from '../carried.ts';
import {
  bytes,
  fields,
  formatOf,
  header,
  isSuccess,
  type JsonObject,
  leftOut,
  set,
  when,
  without,
} from '../change.ts';
import { type Break, type Mutant, type Row, type Rows, table } from '../mutant.ts';

/** Ways to break a whole clip, wherever it comes from: one answer, or a joined stream. */
type Clips = Readonly<
  Record<string, readonly [rules: string | readonly string[], change: (audio: Buffer) => Buffer]>
>;

const decodes = ['audio-decodes', 'audio-format'];
const empty: Clips = { 'is empty': ['audio-not-empty', () => Buffer.alloc(0)] };
const odd: Clips = { 'ends with half a sample': ['audio-ends-whole', (audio) => audio.subarray(0, -1)] };
const anError: Clips = {
  'is an error in JSON': [decodes, () => Buffer.from('{"status":500,"message":"Gone."}')],
};

const half = (audio: Buffer): number => audio.length >> 1;
const flipped = (audio: Buffer, at: number, bit = 0x10): Buffer => {
  const changed = Buffer.from(audio);
  changed.writeUInt8(changed.readUInt8(at) ^ bit, at);
  return changed;
};
/** Bytes of the header of a wav, before its samples. */
const headBytes = 44;

/** A wav whose header names other channels, bits or a rate over the same samples. */
const labelled =
  (channels: number, bits: number, otherRate = (rate: number) => rate) =>
  (audio: Buffer) => {
    const wav = Buffer.from(audio);
    const rate = otherRate(wav.readUInt32LE(24));
    const frame = (channels * bits) / 8;
    wav.writeUInt16LE(channels, 22);
    wav.writeUInt32LE(rate, 24);
    wav.writeUInt32LE(rate * frame, 28);
    wav.writeUInt16LE(frame, 32);
    wav.writeUInt16LE(bits, 34);
    return wav;
  };

/** An mp3 frame in the middle: it begins with the two bytes that every frame begins with. */
const middleFrame = (audio: Buffer): number => audio.indexOf(audio.subarray(0, 2), half(audio));

/** Every way in which a clip is broken here. */
const clips: Readonly<Record<AudioFormat, Clips>> = {
  wav: {
    'is stereo': ['audio-channels', labelled(2, 16)],
    'is silent': ['audio-not-silent', (audio) => Buffer.from(audio).fill(0, headBytes)],
    'has 8 bits a sample': ['audio-sample-size', labelled(1, 8)],
    'has the header of another rate': [
      ['audio-sample-rate', 'audio-rate-of-format'],
      labelled(1, 16, (rate) => (rate === 16_000 ? 24_000 : 16_000)),
    ],
    'has a rate that no wav here has': [
      ['audio-rate-of-format', 'audio-sample-rate'],
      labelled(1, 16, () => 48_000),
    ],
    'has no samples behind its header': ['audio-not-empty', (audio) => audio.subarray(0, headBytes)],
    ...odd,
    'has a flipped bit in the name of its header': [decodes, (audio) => flipped(audio, 8)],
    'promises other samples than it has': [
      ['wav-header-sizes', 'audio-ends-whole'],
      (audio) => {
        const wav = Buffer.from(audio);
        wav.writeUInt32LE(wav.length * 2, headBytes - 4);
        return wav;
      },
    ],
    ...anError,
  },
  pcm: {
    'is silent': ['audio-not-silent', (audio) => Buffer.alloc(audio.length)],
    'has its bytes in the other order': ['pcm-byte-order', (audio) => Buffer.from(audio).swap16()],
    ...odd,
    ...empty,
  },
  mp3: {
    ...empty,
    'is cut in the middle of a frame': [
      'audio-ends-whole',
      (audio) => audio.subarray(0, middleFrame(audio) + 100),
    ],
    'has a frame without its sync word': [decodes, (audio) => flipped(audio, middleFrame(audio))],
    ...anError,
  },
  opus: {
    ...empty,
    'has lost its last page': ['audio-ends-whole', (audio) => audio.subarray(0, audio.lastIndexOf('OggS'))],
    'has a flipped bit in a page': [decodes, (audio) => flipped(audio, half(audio), 1)],
    ...anError,
  },
};

/** Other fields are asked for; only the audio is to be wrong, so the media type stays the one of the question. */
const asked = (change: (body: JsonObject, format: string) => JsonObject | undefined): Break => ({
  request: fields((body, request) => change(body, formatOf(request))),
  answer: (answer, request) =>
    isSuccess(answer)
      ? header('content-type', audioMediaTypes[formatOf(request) as AudioFormat])(answer, request)
      : undefined,
});

/** Another value of a field in requests for a format that give one. */
const given = (wanted: AudioFormat, name: string, value: unknown) =>
  asked((body, format) => (format === wanted && body[name] ? { ...body, [name]: value } : undefined));

/** A value for a field in requests for a format that leave it open. */
const open = (wanted: AudioFormat, name: string, value: unknown) =>
  asked((body, format) => (format === wanted && !body[name] ? { ...body, [name]: value } : undefined));

const spokenAs = (wanted: AudioFormat, other: AudioFormat) =>
  asked((body, format) => (format === wanted ? { ...body, format: other, sample_rate: null } : undefined));

const otherFormat = ['audio-format', 'audio-decodes'];
const rate = 'audio-sample-rate';
const rates = ['speech-wav-5', 'speech-mp3-2'];
const voice = ['voice-read-and-used'];

const questions: Rows = {
  // Only a long text shows that much of it is missing.
  'pcm is a twentieth of what was asked': [
    'audio-length-plausible',
    bytes((body) => body.subarray(0, 2 * Math.ceil(body.length / 40))),
    ['speech-long-pcm'],
  ],
  'mp3 in place of wav': [otherFormat, spokenAs('wav', 'mp3'), 'formats'],
  'wav in place of pcm': [otherFormat, spokenAs('pcm', 'wav'), 'formats'],
  'opus in place of mp3': [otherFormat, spokenAs('mp3', 'opus'), 'formats'],
  'wav in place of opus': [otherFormat, spokenAs('opus', 'wav'), 'formats'],
  'wav where the format is left out': ['audio-format', open('mp3', 'format', 'wav'), voice],
  'wav at its default rate, whatever is asked': [rate, given('wav', 'sample_rate', null), rates],
  'wav at 16000 Hz when no rate is asked': [rate, open('wav', 'sample_rate', 16_000), 'formats'],
  'mp3 at its default rate, whatever is asked': [rate, given('mp3', 'sample_rate', null), rates],
  'mp3 at 128 kbps, whatever is asked': ['mp3-bitrate', given('mp3', 'mp3_bitrate', 128), ['speech-mp3-1']],
  'mp3 at 64 kbps when no bitrate is asked': ['mp3-bitrate', open('mp3', 'mp3_bitrate', 64), voice],
  'opus at 64 kbps, whatever is asked': [
    'opus-bitrate',
    given('opus', 'opus_bitrate', 64_000),
    ['speech-opus-2'],
  ],
};

const comparing = (rule: string, request: RequestChange): Row => [
  rule,
  { request },
  ['speech-traceparent-invalid', 'speech-against-itself'],
];

const relations: Rows = {
  'opus is 24 kbps whatever is asked': [
    'bitrate-changes-the-size',
    { request: fields((body) => (body.format === 'opus' ? { ...body, opus_bitrate: 24_000 } : undefined)) },
    ['speech-bitrates'],
  ],
  'the volume is ignored': comparing(
    'volume-changes-the-loudness',
    fields(set('prosody', leftOut('volume'))),
  ),
  'the speed is ignored': comparing('speed-changes-the-length', without('prosody')),
  'at the default rate a third of the text is spoken': comparing(
    'speech-lasts-the-same',
    fields((body) => {
      const words = String(body.text);
      const isShortened = body.sample_rate === undefined && body.format === 'wav';
      return isShortened ? { ...body, text: words.slice(0, words.length / 3) } : undefined;
    }),
  ),
  'the same audio for every text': comparing(
    'other-text-sounds-different',
    fields(set('text', () => 'Whatever you say, this is what you hear.')),
  ),
};

const broken = Object.entries(clips).flatMap(([format, all]) =>
  Object.entries(all).map(([words, [rules, change]]): [string, Row] => [
    `${format} ${words}`,
    [rules, when((request) => formatOf(request) === format, bytes(change)), 'formats'],
  ]),
);

/** The audio of one answer broken, the audio of another question, and clips that do not fit to each other. */
export const audio: readonly Mutant[] = table('createSpeech', 'audio', {
  ...Object.fromEntries(broken),
  ...questions,
  ...relations,
});
