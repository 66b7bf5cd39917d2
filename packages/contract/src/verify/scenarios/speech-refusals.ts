import {
  audioFormats,
  defaultModel,
  headerNames,
  mediaTypes,
  type RuleCondition,
  type RulePlace,
  type RuleValue,
  type SynthesisRule,
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

/** Each limit from just outside. */
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

/** With `--quick`: one end of each range, the lower and the upper by turns. */
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

export const speechRefusals: readonly Scenario[] = [
  scenario('speech-without-model', 'the model header is required', [
    speak('without a model', spoken, {
      model: null,
      expectation: { ...refused('the header model is missing', 'schema'), rests: 'public' },
    }),
  ]),
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

// Each rule of a synthesis request broken once, the two operations in turn.

const material = {
  text: greeting,
  audio: toneAsWav({ seconds: 10, sampleRate: 8000 }),
  voices: ['first', 'second'],
};

export const rules: readonly Scenario[] = synthesisRules
  .filter(({ effect }) => effect === 'refuse')
  .map((rule, index) => {
    const { id, section, refusal = 'rule', provenance } = rule;
    const { model, fields } = breakRule(rule, material);
    const make = /^(sample-rate|dialogue)-/.test(id) ? quick : scenario;
    return make(`rule-${id}`, `a request that breaks the rule ${id} is refused`, [
      speak(`breaking ${id}`, fields, {
        operationId: inTurn(index),
        model,
        mediaType: 'references' in fields ? mediaTypes.msgpack : mediaTypes.json,
        expectation: {
          ...refused(`it breaks the rule ${id} of section ${section}`, refusal),
          ...(provenance !== undefined && { rests: provenance.from }),
        },
      }),
    ]);
  });

/** A synthesis request that breaks one rule and nothing else. */
interface BrokenRule {
  readonly model: string;
  readonly fields: Fields;
}

/** Material for the request. */
interface BreakMaterial {
  readonly text: string;
  /** A recording for inline samples. */
  readonly audio: Uint8Array;
  /** Ids or names of two voices. */
  readonly voices: readonly string[];
}

/**
 * Makes a request that breaks a rule: all of `when` hold, the first of `require` does not.
 *
 * @throws Error when the rule is written in words that are not known here
 */
function breakRule(rule: SynthesisRule, material: BreakMaterial): BrokenRule {
  const request: Draft = { model: defaultModel, fields: { text: material.text } };
  for (const condition of rule.when) hold(condition, request, material);
  const [requirement] = rule.require;
  if (requirement === undefined) throw new Error(`the rule ${rule.id} requires nothing`);
  violate(requirement, rule, request, material);
  return request;
}

interface Draft {
  model: string;
  fields: Record<string, unknown>;
}

function hold(condition: RuleCondition, request: Draft, material: BreakMaterial): void {
  if ('in' in condition) put(condition.at, condition.in[0], request);
  else if ('not_in' in condition) put(condition.at, otherValue(condition.at, condition.not_in), request);
  else if ('is' in condition) {
    const value = valueOfKind(condition.is, condition.at, material);
    if (value !== undefined) put(condition.at, value, request);
    // Ids of a dialogue may be arbitrary where samples come along; which ids a server knows is not what is tried.
    if (condition.is === 'array' && condition.at === '/reference_id') {
      request.fields.references = material.voices.map(() => [{ audio: material.audio, text: material.text }]);
    }
  } else throw new Error(`no way to keep ${JSON.stringify(condition)}`);
}

function violate(
  condition: RuleCondition,
  rule: SynthesisRule,
  request: Draft,
  material: BreakMaterial,
): void {
  const { at } = condition;
  if ('in' in condition) {
    const taken = rule.when.flatMap((other) => (other.at === at && 'not_in' in other ? other.not_in : []));
    put(at, otherValue(at, [...condition.in, ...taken]), request);
  } else if ('not_in' in condition) put(at, condition.not_in[0], request);
  else if ('speaker_tags_below' in condition) {
    put(at, `<|speaker:0|>${material.text}<|speaker:${material.voices.length}|>${material.text}`, request);
  } else if ('same_length_as' in condition) {
    put(condition.same_length_as, material.voices, request);
    put(at, [[{ audio: material.audio, text: material.text }]], request);
  } else if ('code_points_at_most' in condition) {
    put(at, 'a'.repeat(condition.code_points_at_most + 1), request);
  } else throw new Error(`no way to break ${JSON.stringify(condition)}`);
}

function valueOfKind(kind: string, at: RulePlace, material: BreakMaterial): unknown {
  if (kind === 'absent' || (kind === 'present' && at === '/sample_rate')) return undefined;
  if (kind === 'array') return material.voices;
  if (kind === 'array-of-arrays') return [[{ audio: material.audio, text: material.text }]];
  throw new Error(`no value for ${at} that is ${kind}`);
}

/** A value that the schema allows at this place and that is not one of these. */
function otherValue(at: RulePlace, but: readonly RuleValue[]): RuleValue {
  const known: Partial<Record<RulePlace, readonly RuleValue[]>> = {
    'header:model': synthesisModels,
    '/format': audioFormats,
    '/sample_rate': Object.values(sampleRates).flat(),
  };
  const value = known[at]?.find((candidate) => !but.includes(candidate));
  if (value === undefined) throw new Error(`no other value is known for ${at}`);
  return value;
}

function put(at: RulePlace, value: unknown, request: Draft): void {
  if (at === 'header:model') request.model = String(value);
  else request.fields[at.slice(1)] = value;
}
