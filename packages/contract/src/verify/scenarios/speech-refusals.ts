import { defaultModel, headerNames, mediaTypes, synthesisRanges, synthesisRules } from '@speech-api/types';
import { breakRule } from '../generate/break-rule.ts';
import { toneAsWav } from '../request.ts';
import type { CallStep, Scenario } from '../step.ts';
import { greeting, refused, type SpeechOperation, speak } from './making.ts';

/** A body that is not what its media type says. */
function malformed(operationId: SpeechOperation, mediaType: string, bytes: Uint8Array): CallStep {
  return {
    kind: 'call',
    operationId,
    name: `${operationId}, malformed ${mediaType}`,
    expectation: refused(`the body is no ${mediaType}`, 'malformed-body'),
    call: () => ({ headers: { [headerNames.model]: defaultModel }, mediaType, bytes }),
  };
}

const wrongValues: readonly (readonly [what: string, fields: Readonly<Record<string, unknown>>])[] = [
  ...Object.entries(synthesisRanges).flatMap(([name, { minimum, maximum }]) =>
    [minimum - 1, maximum + 1].map((value): [string, Record<string, unknown>] => {
      const [outer = '', inner] = name.split('.');
      return [`${name} ${value}`, { [outer]: inner === undefined ? value : { [inner]: value } }];
    }),
  ),
  ['an unknown field', { temprature: 0.5 }],
  ['an unknown format', { format: 'flac' }],
  ['an unknown latency', { latency: 'fastest' }],
  ['a rate that no format has', { sample_rate: 12_345 }],
  ['a bitrate that mp3 does not have', { mp3_bitrate: 100 }],
  ['a bitrate in kbps', { format: 'opus', opus_bitrate: 32 }],
  ['a number as text', { temperature: '0.5' }],
  ['a text that is a number', { text: 7 }],
  ['an empty list of references', { references: [] }],
  ['a reference without its text', { references: [{ audio: 'UklGRg==' }] }],
];

const operations: readonly SpeechOperation[] = ['createSpeech', 'streamSpeechWithTimestamps'];

export const speechRefusals: readonly Scenario[] = [
  {
    name: 'speech-without-model',
    about: 'the model header is required',
    priority: 27.1,
    steps: [
      speak(
        'without a model',
        { text: greeting },
        { model: null, expectation: refused('the header model is missing', 'schema') },
      ),
    ],
  },
  {
    name: 'speech-media-type',
    about: 'another media type is not taken',
    priority: 27.2,
    steps: [
      speak(
        'as a form',
        { text: greeting },
        {
          mediaType: mediaTypes.urlencoded,
          expectation: refused('a form is none of its media types', 'media-type'),
        },
      ),
    ],
  },
  {
    name: 'speech-malformed-json',
    about: 'a body that is no JSON is refused',
    priority: 28,
    steps: [
      malformed(
        'streamSpeechWithTimestamps',
        mediaTypes.json,
        new TextEncoder().encode('{"text": "Good morning."'),
      ),
    ],
  },
  {
    name: 'speech-malformed-msgpack',
    about: 'a body that is no MessagePack is refused',
    priority: 53,
    steps: [malformed('createSpeech', mediaTypes.msgpack, new Uint8Array([0x82, 0xa4, 0x74, 0x65]))],
  },
  {
    name: 'speech-without-text',
    about: 'the text is required',
    priority: 29,
    steps: [
      speak('without a text', { format: 'mp3' }, { expectation: refused('the text is missing', 'schema') }),
    ],
  },
  {
    name: 'speech-unknown-voice',
    about: 'a voice that does not exist does not speak',
    priority: 35,
    steps: [
      speak(
        'with a voice that does not exist',
        { text: greeting, reference_id: 'speech-contract-no-such-voice' },
        {
          expectation: refused('no voice model has this id', 'unknown-voice'),
        },
      ),
    ],
  },
  ...wrongValues.map(
    ([what, fields], index): Scenario => ({
      name: `speech-wrong-value-${index + 1}`,
      about: `${what} is refused`,
      priority: index === 0 ? 36 : 62 + index / 100,
      steps: [
        speak(
          what,
          { text: greeting, ...fields },
          {
            operationId: operations[index % operations.length] ?? 'createSpeech',
            expectation: refused(`${what} is outside the spec`, 'schema'),
          },
        ),
      ],
    }),
  ),
];

// Each rule of a synthesis request broken once, the two operations in turn.

const material = {
  text: greeting,
  audio: toneAsWav({ seconds: 10, sampleRate: 8000 }),
  voices: ['first', 'second'],
};

export const rules: readonly Scenario[] = synthesisRules
  .filter(({ effect }) => effect === 'refuse')
  .map((rule, index) => {
    const { model, fields } = breakRule(rule, material);
    const operationId = operations[index % operations.length] ?? 'createSpeech';
    return {
      name: `rule-${rule.id}`,
      about: `a request that breaks the rule ${rule.id} is refused`,
      priority: 26 + index / 100,
      steps: [
        speak(`breaking ${rule.id}`, fields, {
          operationId,
          model,
          mediaType: 'references' in fields ? mediaTypes.msgpack : mediaTypes.json,
          expectation: refused(
            `it breaks the rule ${rule.id} of section ${rule.section}`,
            rule.refusal ?? 'rule',
          ),
        }),
      ],
    };
  });
