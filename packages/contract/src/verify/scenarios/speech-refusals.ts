import {
  defaultModel,
  defaultSampleRates,
  headerNames,
  mediaTypes,
  sampleRates,
  synthesisModels,
  synthesisRanges,
  synthesisRules,
} from '@speech-api/types';
import type { Rests } from '../../exchange.ts';
import type { CallStep, Fields, Scenario } from '../step.ts';
import {
  call,
  greeting,
  quick,
  refused,
  type SpeechOperation,
  scenario,
  speak,
  toneAsWav,
  wrongIn,
} from './making.ts';

/** A body that is not what its media type says. */
function malformed(operationId: SpeechOperation, mediaType: string, bytes: Uint8Array): CallStep {
  const headers = { [headerNames.model]: defaultModel };
  const expectation = refused(`the body is no ${mediaType}`, 'malformed-body');
  return call(operationId, `malformed ${mediaType}`, { headers, mediaType, bytes }, { expectation });
}

const integers: readonly string[] = ['chunk_length', 'min_chunk_length'];

/** Values just outside each limit. */
const outside: readonly (readonly [string, Fields, string])[] = Object.entries(synthesisRanges).flatMap(
  ([name, range]) =>
    (['minimum', 'maximum'] as const).map((end) => {
      const step = integers.includes(name) ? 1 : 0.01;
      const value = Math.round(100 * (range[end] + (end === 'minimum' ? -step : step))) / 100;
      const [outer = '', inner] = name.split('.');
      return [
        `${name} ${value}`,
        { [outer]: inner === undefined ? value : { [inner]: value } },
        name,
      ] as const;
    }),
);

/** With `--quick`, alternately the lower or the upper end of each range. */
const quickLimits = outside.filter((_, index) => index % 4 === 0 || index % 4 === 3).map(([what]) => what);
const isQuick = (what: string) =>
  quickLimits.includes(what) || what === 'an unknown format' || what === 'an unknown latency';

const wrongValues: readonly (readonly [what: string, fields: Fields, field: string, rests?: Rests])[] = [
  ...outside,
  ['an unknown field', { temprature: 0.5 }, 'temprature', 'assumed'],
  ['an unknown format', { format: 'flac' }, 'format'],
  ['an unknown latency', { latency: 'fastest' }, 'latency'],
  ['a rate that no format has', { sample_rate: 12_345 }, 'sample_rate'],
  ['a bitrate that mp3 does not have', { mp3_bitrate: 100 }, 'mp3_bitrate'],
  ['a bitrate in kbps', { format: 'opus', opus_bitrate: 32 }, 'opus_bitrate'],
  ['a number as text', { temperature: '0.5' }, 'temperature'],
  ['a text that is a number', { text: 7 }, 'text'],
  ['an empty list of references', { references: [] }, 'references', 'assumed'],
  ['a reference without its text', { references: [{ audio: 'UklGRg==' }] }, 'references.text'],
];

const inTurn = (index: number): SpeechOperation =>
  index % 2 === 0 ? 'createSpeech' : 'streamSpeechWithTimestamps';

const spoken = { text: greeting };

// The interface says of the header both that it is required and what its default is.
const withoutModel = { ...refused('the header model is missing', 'schema'), rests: 'public' } as const;

export const speechRefusals: readonly Scenario[] = [
  scenario(
    'speech-without-model',
    'the model header is required',
    (['createSpeech', 'streamSpeechWithTimestamps'] as const).map((operationId) =>
      speak('without a model', spoken, { operationId, model: null, expectation: withoutModel }),
    ),
  ),
  quick('speech-media-type', 'another media type is not taken', [
    speak('as a form', spoken, {
      mediaType: mediaTypes.urlencoded,
      expectation: refused('a form is not one of its media types', 'media-type'),
    }),
  ]),
  scenario('speech-malformed-json', 'a body that is not JSON is refused', [
    malformed('streamSpeechWithTimestamps', mediaTypes.json, Buffer.from('{"text": "Good morning."')),
  ]),
  scenario('speech-malformed-msgpack', 'a body that is not MessagePack is refused', [
    malformed('createSpeech', mediaTypes.msgpack, new Uint8Array([0x82, 0xa4, 0x74, 0x65])),
  ]),
  scenario('speech-without-text', 'the text is required', [
    speak('without a text', { format: 'mp3' }, { expectation: wrongIn('text', 'the text is missing') }),
  ]),
  scenario('speech-unknown-voice', 'a voice that does not exist does not speak', [
    speak(
      'with a voice that does not exist',
      { ...spoken, reference_id: 'speech-contract-no-such-voice' },
      { expectation: refused('no voice model has this id', 'unknown-voice') },
    ),
  ]),
  ...wrongValues.map(([what, fields, field, rests], index): Scenario => {
    const expectation = wrongIn(field, `${what} is not allowed`, rests);
    return scenario(
      `speech-wrong-${what.replaceAll(/[ .]/g, '-')}`,
      `${what} is refused`,
      [speak(what, { ...spoken, ...fields }, { operationId: inTurn(index), expectation })],
      { isQuick: isQuick(what) },
    );
  }),
];

// Breaks each rule of a synthesis request once, alternating between the two operations.

const sample = { audio: toneAsWav({ seconds: 10, sampleRate: 8000 }), text: greeting };
const voices = ['first', 'second'];
// With samples any id is a speaker, so these requests do not depend on the voices that a server knows.
const dialogue = { reference_id: voices, references: voices.map(() => [sample]) };
const tooLong = synthesisRules
  .flatMap(({ require }) => require)
  .map((condition) => ('code_points_at_most' in condition ? condition.code_points_at_most + 1 : 0));

/** Requests by rule id: each breaks this rule and nothing else. */
const breaking: Readonly<Record<string, Fields & { readonly model?: string }>> = {
  'sample-rate-of-wav-and-pcm': { format: 'wav', sample_rate: defaultSampleRates.opus },
  'sample-rate-of-mp3': { format: 'mp3', sample_rate: sampleRates.wav[0] },
  'sample-rate-of-opus': { format: 'opus', sample_rate: sampleRates.wav[0] },
  'dialogue-not-on-s1': { model: 's1', ...dialogue },
  'dialogue-only-on-s2-pro': {
    model: synthesisModels.find((model) => model !== 's1' && model !== 's2-pro') ?? 's1',
    ...dialogue,
  },
  'speaker-tags-in-range': { ...dialogue, text: '<|speaker:0|>Good morning.<|speaker:2|>And to you.' },
  'one-reference-list-a-speaker': { reference_id: voices, references: [[sample]] },
  'text-not-empty': { text: '' },
  'text-length': { text: 'a'.repeat(Math.max(...tooLong)) },
};

export const rules: readonly Scenario[] = synthesisRules
  .filter(({ effect }) => effect === 'refuse')
  .map((rule, index) => {
    const { id, section, refusal = 'rule', provenance } = rule;
    const { model = defaultModel, ...fields } = breaking[id] ?? {};
    const make = /^(sample-rate|dialogue)-/.test(id) ? quick : scenario;
    return make(`rule-${id}`, `a request that breaks the rule ${id} is refused`, [
      speak(
        `breaking ${id}`,
        { ...spoken, ...fields },
        {
          operationId: inTurn(index),
          model,
          mediaType: 'references' in fields ? mediaTypes.msgpack : mediaTypes.json,
          expectation: {
            ...refused(`it breaks the rule ${id} of section ${section}`, refusal),
            ...(provenance !== undefined && { rests: provenance.from }),
          },
        },
      ),
    ]);
  });
