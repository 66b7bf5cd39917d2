import { type AudioFormat, audioMediaTypes } from '@speech-api/types';
import { mp3Frames } from '../audio/mp3.ts';
import { oggPages } from '../audio/ogg.ts';
import { rateLabel, shapeLabel, wavHeader, wavParts, wavSamples } from '../audio/wav.ts';
import type { RequestChange } from '../carried.ts';
import {
  bytes,
  fields,
  formatOf,
  header,
  isObject,
  isSuccess,
  type JsonObject,
  when,
  without,
} from '../change.ts';
import { type Mutant, type Row, type Shown, table } from '../mutant.ts';

/** One way to break a whole clip, wherever it comes from: one answer, or a joined stream. */
type Clip = readonly [words: string, rules: readonly string[], change: (audio: Buffer) => Buffer];

const decodes = ['audio-decodes', 'audio-format'];
const empty: Clip = ['is empty', ['audio-not-empty'], () => Buffer.alloc(0)];
const odd: Clip = ['ends with half a sample', ['audio-ends-whole'], (audio) => audio.subarray(0, -1)];
const anError: Clip = ['is an error in JSON', decodes, () => Buffer.from('{"status":500,"message":"Gone."}')];

const half = (audio: Buffer): number => audio.length >> 1;
const flipped = (audio: Buffer, at: number, bit = 0x10): Buffer => {
  const changed = Buffer.from(audio);
  changed.writeUInt8(changed.readUInt8(at) ^ bit, at);
  return changed;
};
const middleFrame = (audio: Buffer): number => {
  const frames = mp3Frames(audio);
  return frames[frames.length >> 1]?.at ?? 0;
};
const lastPage = (audio: Buffer): number => oggPages(audio).at(-1)?.at ?? 0;

/** Every way in which a clip is broken here. */
export const clips: Readonly<Record<AudioFormat, readonly Clip[]>> = {
  wav: [
    ['is stereo', ['audio-channels'], shapeLabel(2, 16)],
    ['is silent', ['audio-not-silent'], wavSamples((samples) => Buffer.alloc(samples.length))],
    ['has 8 bits a sample', ['audio-sample-size'], shapeLabel(1, 8)],
    [
      'has the header of another rate',
      ['audio-sample-rate', 'audio-rate-of-format'],
      rateLabel((rate) => (rate === 16_000 ? 24_000 : 16_000)),
    ],
    [
      'has a rate that no wav here has',
      ['audio-rate-of-format', 'audio-sample-rate'],
      rateLabel(() => 48_000),
    ],
    [
      'has no samples behind its header',
      ['audio-not-empty'],
      (audio) => audio.subarray(0, wavParts(audio).dataAt),
    ],
    odd,
    ['has a flipped bit in the name of its header', decodes, (audio) => flipped(audio, 8)],
    [
      'promises other samples than it has',
      ['wav-header-sizes', 'audio-ends-whole'],
      wavHeader((head, { dataAt }, wav) => head.writeUInt32LE(wav.length * 2, dataAt - 4)),
    ],
    anError,
  ],
  pcm: [
    ['is silent', ['audio-not-silent'], (audio) => Buffer.alloc(audio.length)],
    ['has its bytes in the other order', ['pcm-byte-order'], (audio) => Buffer.from(audio).swap16()],
    odd,
    empty,
  ],
  mp3: [
    empty,
    [
      'is cut in the middle of a frame',
      ['audio-ends-whole'],
      (audio) => audio.subarray(0, middleFrame(audio) + 100),
    ],
    ['has a frame without its sync word', decodes, (audio) => flipped(audio, middleFrame(audio))],
    anError,
  ],
  opus: [
    empty,
    ['has lost its last page', ['audio-ends-whole'], (audio) => audio.subarray(0, lastPage(audio))],
    ['has a flipped bit in a page', decodes, (audio) => flipped(audio, half(audio), 1)],
    anError,
  ],
};

/** The audio of one answer broken, the audio of another question, and clips that do not fit to each other. */
export function audio(): Mutant[] {
  const broken = (Object.entries(clips) as [AudioFormat, readonly Clip[]][]).flatMap(([format, all]) =>
    all.map(
      ([words, rules, change]): Row => [
        `${format} ${words}`,
        rules,
        when((request) => formatOf(request) === format, bytes(change)),
        'formats',
      ],
    ),
  );
  return table('createSpeech', 'audio', [...broken, twentieth, ...questions, ...relations]);
}

/** Only a long text shows that much of it is missing. */
const twentieth: Row = [
  'pcm is a twentieth of what was asked',
  ['audio-length-plausible'],
  bytes((body) => body.subarray(0, 2 * Math.ceil(body.length / 40))),
  ['speech-long-pcm'],
];

/** Other fields are asked for; only the audio is to be wrong, so the media type stays the one of the question. */
const asked = (
  words: string,
  rules: readonly string[],
  shown: Shown,
  change: (body: JsonObject, format: string) => JsonObject | undefined,
): Row => [
  words,
  rules,
  {
    request: fields((body, request) => change(body, formatOf(request))),
    answer: (answer, request) =>
      isSuccess(answer)
        ? header('content-type', audioMediaTypes[formatOf(request) as AudioFormat])(answer, request)
        : undefined,
  },
  shown,
];

const ofFormat =
  (wanted: string, isAsked: boolean, name: string, value: unknown) => (body: JsonObject, format: string) =>
    format === wanted && Boolean(body[name]) === isAsked ? { ...body, [name]: value } : undefined;

const instead = (format: AudioFormat, given: AudioFormat): Row =>
  asked(`${given} in place of ${format}`, ['audio-format', 'audio-decodes'], 'formats', (body, wanted) =>
    wanted === format ? { ...body, format: given, sample_rate: null } : undefined,
  );

const [rate, rates] = [['audio-sample-rate'], ['speech-wav-5', 'speech-mp3-2']] as const;
const voice = ['voice-read-and-used'];

const questions: readonly Row[] = [
  instead('wav', 'mp3'),
  instead('pcm', 'wav'),
  instead('mp3', 'opus'),
  instead('opus', 'wav'),
  asked('wav where the format is left out', ['audio-format'], voice, (body) =>
    body.format === undefined ? { ...body, format: 'wav' } : undefined,
  ),
  asked(
    'wav at its default rate, whatever is asked',
    rate,
    rates,
    ofFormat('wav', true, 'sample_rate', null),
  ),
  asked(
    'wav at 16000 Hz when no rate is asked',
    rate,
    'formats',
    ofFormat('wav', false, 'sample_rate', 16_000),
  ),
  asked(
    'mp3 at its default rate, whatever is asked',
    rate,
    rates,
    ofFormat('mp3', true, 'sample_rate', null),
  ),
  asked(
    'mp3 at 128 kbps, whatever is asked',
    ['mp3-bitrate'],
    ['speech-mp3-1'],
    ofFormat('mp3', true, 'mp3_bitrate', 128),
  ),
  asked(
    'mp3 at 64 kbps when no bitrate is asked',
    ['mp3-bitrate'],
    voice,
    ofFormat('mp3', false, 'mp3_bitrate', 64),
  ),
  asked(
    'opus at 64 kbps, whatever is asked',
    ['opus-bitrate'],
    ['speech-opus-2'],
    ofFormat('opus', true, 'opus_bitrate', 64_000),
  ),
];

const comparing = (words: string, rule: string, request: RequestChange): Row => [
  words,
  [rule],
  { request },
  ['speech-traceparent-invalid', 'speech-against-itself'],
];

const relations: readonly Row[] = [
  [
    'opus is 24 kbps whatever is asked',
    ['bitrate-changes-the-size'],
    { request: fields((body) => (body.format === 'opus' ? { ...body, opus_bitrate: 24_000 } : undefined)) },
    ['speech-bitrates'],
  ],
  comparing(
    'the volume is ignored',
    'volume-changes-the-loudness',
    fields(({ prosody, ...body }) => {
      if (!isObject(prosody)) return undefined;
      const { volume: _ignored, ...others } = prosody;
      return { ...body, prosody: others };
    }),
  ),
  comparing('the speed is ignored', 'speed-changes-the-length', without('prosody')),
  comparing(
    'at the default rate a third of the text is spoken',
    'speech-lasts-the-same',
    fields((body) => {
      const words = String(body.text);
      const isShortened = body.sample_rate === undefined && body.format === 'wav';
      return isShortened ? { ...body, text: words.slice(0, words.length / 3) } : undefined;
    }),
  ),
  comparing(
    'the same audio for every text',
    'other-text-sounds-different',
    fields((body) => ({ ...body, text: 'Whatever you say, this is what you hear.' })),
  ),
];
