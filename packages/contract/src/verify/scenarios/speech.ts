import {
  type AudioFormat,
  audioFormats,
  mediaTypes,
  mp3Bitrates,
  opusBitrates,
  sampleRates,
  synthesisModels,
  synthesisRanges,
} from '@speech-api/types';
import type { CallStep, Fields, Scenario } from '../step.ts';
import {
  greeting,
  inGroups,
  invalidTraceparent,
  quick,
  rememberAudio,
  scenario,
  sentence,
  speak,
  statedFields,
  story,
  validTraceparent,
} from './making.ts';

const needs = ['sample'];

/** Voices sent as samples: the server first speaks the samples, so that they are real speech. */
export const inlineVoices: readonly Scenario[] = [
  quick('inline-voices-of-two', 'two voices given by samples speak in turn', [
    sampleFor('two'),
    speak(
      'with two inline voices',
      (memory) => {
        const sample = { audio: memory.bytes('sample'), text: sentence };
        return {
          text: '<|speaker:0|>Good morning.<|speaker:1|>And to you.',
          reference_id: ['first', 'second'],
          references: [[sample], [sample]],
        };
      },
      { operationId: 'streamSpeechWithTimestamps', mediaType: mediaTypes.msgpack, needs },
    ),
  ]),
  scenario('inline-voices', 'a voice given by a sample, in MessagePack and as base64 in JSON', [
    sampleFor('one'),
    ...[mediaTypes.msgpack, mediaTypes.json].map((mediaType) =>
      speak(
        `with an inline voice, as ${mediaType}`,
        (memory) => ({ text: greeting, references: [{ audio: memory.bytes('sample'), text: sentence }] }),
        { mediaType, needs },
      ),
    ),
  ]),
];

function sampleFor(voices: string): CallStep {
  const settings = { text: sentence, format: 'wav', sample_rate: 32_000 };
  return speak(`a sample for ${voices}`, settings, rememberAudio('sample'));
}

// Another text is requested too: audio that is equal for both is not speech.
const fields = { text: greeting, format: 'wav' };

/** Well below the usual loudness, whatever the unit is. */
const quiet = -10;
const paced = (speed: number, volume?: number) => ({
  text: sentence,
  format: 'wav',
  sample_rate: 8000,
  prosody: { speed, ...(volume !== undefined && { volume }) },
});

const wav = { text: sentence, format: 'wav' };
const sentenceLength = inGroups('sentence', 'speech');

/** A text that is long enough for a reliable average. */
const ferry = 'The ferry leaves at eight, as it has for forty years.';
const fixedRates = opusBitrates.filter((rate) => rate > 0);
const opusEnds = { 'low-bitrate': Math.min(...fixedRates), 'high-bitrate': Math.max(...fixedRates) };

export const speechEncodings: readonly Scenario[] = [
  scenario('speech-encodings', 'JSON, MessagePack and a traceparent ask for the same speech', [
    speak('as JSON', wav, {
      groups: [...inGroups('speech', 'encodings', ['trace', 'without']), ...sentenceLength],
    }),
    speak('as MessagePack', wav, {
      mediaType: mediaTypes.msgpack,
      groups: [...inGroups('speech', 'encodings'), ...sentenceLength],
    }),
    speak('with a traceparent', wav, {
      traceparent: validTraceparent,
      groups: [...inGroups('speech', ['trace', 'with']), ...sentenceLength],
    }),
  ]),
  quick(
    'speech-traceparent-invalid',
    'an invalid traceparent is not refused and changes nothing, as MessagePack either',
    [
      speak('as JSON again', fields, {
        groups: inGroups('speech-invalid', 'encodings', ['trace', 'without']),
      }),
      speak('as MessagePack, with an invalid traceparent', fields, {
        mediaType: mediaTypes.msgpack,
        traceparent: invalidTraceparent,
        groups: inGroups('speech-invalid', 'encodings', ['trace', 'with']),
      }),
    ],
  ),
  quick(
    'speech-against-itself',
    'one text at the lowest and the highest speed, and with nothing else said, compared by length',
    [
      speak('at the lowest speed', paced(synthesisRanges['prosody.speed'].minimum), {
        groups: inGroups('sentence', ['speech', 'slow']),
      }),
      speak('at the highest speed', paced(synthesisRanges['prosody.speed'].maximum, quiet), {
        groups: inGroups('sentence', ['speech', 'fast']),
      }),
      speak('one text and nothing else', { text: sentence }, { groups: sentenceLength }),
      speak('one text as wav at the default rate', wav, { groups: sentenceLength }),
    ],
  ),
  quick(
    'speech-bitrates',
    'one text as opus at the lowest and the highest bitrate, compared by size',
    (['low-bitrate', 'high-bitrate'] as const).map((role) =>
      speak(
        `opus at the ${role === 'low-bitrate' ? 'lowest' : 'highest'} bitrate`,
        { text: ferry, format: 'opus', opus_bitrate: opusEnds[role] },
        { groups: inGroups('ferry', ['speech', role]) },
      ),
    ),
  ),
  scenario(
    'speech-repeated',
    'one request with every documented setting, sent twice, is answered alike',
    ['once', 'twice'].map((time) =>
      speak(
        `the same request ${time}`,
        { ...statedFields('createSpeech', 'reference_id'), ...fields },
        { groups: inGroups('speech', 'repeat') },
      ),
    ),
  ),
];

// Every format at every rate and bitrate. Each scenario has a call of one format; the highest rates come first.

/** One variant of a format that can be requested. */
interface Variant {
  readonly format: AudioFormat;
  readonly what: string;
  readonly fields: Fields;
}

const variants: readonly Variant[] = audioFormats.flatMap(variantsOf);

/** The variants of one format: each rate with each bitrate. */
function variantsOf(format: AudioFormat): Variant[] {
  const bitrates = format === 'mp3' ? mp3Bitrates : format === 'opus' ? opusBitrates : [undefined];
  const all = sampleRates[format]
    .toReversed()
    .flatMap((rate: number) => bitrates.map((bitrate) => ({ rate, bitrate })));
  return all.map(({ rate, bitrate }) => ({
    format,
    what: `${format} at ${rate} Hz${bitrateInWords(format, bitrate)}`,
    fields: {
      format,
      sample_rate: rate,
      ...(bitrate !== undefined && { [`${format}_bitrate`]: bitrate }),
    },
  }));
}

function bitrateInWords(format: AudioFormat, bitrate: number | undefined): string {
  if (bitrate === undefined) return '';
  if (bitrate < 0) return ', automatic bitrate';
  return `, ${format === 'opus' ? bitrate / 1000 : bitrate} kbps`;
}

/** Values at the ends of their ranges, which are valid. */
const ends = (['minimum', 'maximum'] as const).map((end) => {
  const { 'prosody.speed': speed, ...others } = synthesisRanges;
  const numbers = Object.entries(others).map(([name, range]) => [name, range[end]] as const);
  return { ...Object.fromEntries(numbers), prosody: { speed: speed[end] } };
});

const { prosody: _slow, ...lowest } = ends[0] ?? { prosody: undefined };

const bodies = [mediaTypes.json, mediaTypes.msgpack];

/** The variants that `--quick` runs, with a rate and a bitrate other than the defaults. */
const quickVariants = ['speech-mp3-4', 'speech-pcm-5'];

export const speechFormats: readonly Scenario[] = variants.map((variant, index) => {
  const place = variants.filter(({ format }) => format === variant.format).indexOf(variant);
  const name = `speech-${variant.format}-${place + 1}`;
  const make = quickVariants.includes(name) ? quick : scenario;
  return make(name, `${variant.what} is what was asked for`, [oneCall(variant, index)]);
});

/** Models, media types and range ends alternate, so that one call covers several of them. */
function oneCall({ what, fields }: Variant, index: number): CallStep {
  return speak(
    what,
    {
      // A bitrate is an average, which needs more than a second to measure.
      text: Number(fields.opus_bitrate ?? 0) > 0 ? sentence : greeting,
      ...fields,
      ...ends[index % (ends.length + 1)],
    },
    {
      model: synthesisModels[index % synthesisModels.length] ?? null,
      mediaType: bodies[index % 2] ?? mediaTypes.json,
    },
  );
}

/** Long texts: a missing part of a short one can be heard but not measured. */
export const speechLong: readonly Scenario[] = (['wav', 'pcm', 'mp3'] as const).map((format) =>
  (format === 'pcm' ? quick : scenario)(
    `speech-long-${format}`,
    `a long text is spoken to its end, as ${format}`,
    [
      speak(
        `a long text as ${format}`,
        { text: story, format, ...lowest },
        {
          traceparent: validTraceparent,
          mediaType: format === 'mp3' ? mediaTypes.msgpack : mediaTypes.json,
          groups: inGroups('story', 'speech'),
        },
      ),
    ],
  ),
);
