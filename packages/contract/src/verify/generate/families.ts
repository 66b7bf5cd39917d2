import {
  audioFormats,
  defaultModel,
  headerNames,
  mediaTypes,
  operationTable,
  sampleRates,
} from '@speech-api/types';
import fc from 'fast-check';
import { type Fields, toneAsWav } from '../request.ts';
import { refused, type SpeechOperation, speak, success, wrongIn } from '../scenarios/making.ts';
import { makeAndDelete, runMark } from '../scenarios/voice-lives.ts';
import type { CallStep } from '../step.ts';
import { arbitraryOf, words } from './arbitrary-of.ts';
import { type Breakage, breakagesOf } from './break-rule.ts';
import { type CaseFamily, queryOf, type Shape, shapeOf } from './case.ts';

const typedBodies = fc.constantFrom(mediaTypes.json, mediaTypes.msgpack);
const aTone = toneAsWav({ seconds: 1, sampleRate: 8000 });

/** Good values for some of the fields; those that are `given` are always there. */
function goodFields(
  shape: Shape,
  given: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  left: readonly string[] = [],
) {
  const others = shape.fields
    .filter(({ name }) => !(name in given) && !left.includes(name))
    .map((field) => [field.name, arbitraryOf(field)] as const);
  return fc.record({ ...Object.fromEntries(others), ...given }, { requiredKeys: Object.keys(given) });
}

// Voices are left out: which there are, no schema says. A rate goes with its format, which is a rule beyond the schema.
const settings = shapeOf('SynthesisSettings');
const goodSpeech = fc.constantFrom(...audioFormats).chain((format) =>
  goodFields(
    settings,
    {
      text: words,
      format: fc.constant(format),
      sample_rate: fc.constantFrom(null, ...sampleRates[format]),
    },
    ['min_chunk_length', 'max_new_tokens'],
  ),
);

function goodSpeechFamily(operationId: SpeechOperation): CaseFamily<readonly [Fields, string]> {
  return {
    name: `generated-${operationId}`,
    about: `a request that the schema allows is accepted by ${operationId}`,
    arbitrary: fc.tuple(goodSpeech, typedBodies),
    toStep: ([fields, mediaType]) => speak('generated', fields, { operationId, mediaType }),
  };
}

function brokenSpeechFamily(operationId: SpeechOperation): CaseFamily<readonly [Fields, Breakage, string]> {
  return {
    name: `generated-broken-${operationId}`,
    about: `a request that the schema does not allow is refused by ${operationId}`,
    arbitrary: fc.tuple(
      goodSpeech,
      fc.constantFrom(...breakagesOf({ ...settings, closed: true })),
      typedBodies,
    ),
    toStep: ([fields, { what, apply, field, rests }, mediaType]) =>
      speak(`generated, ${what}`, apply(fields), {
        operationId,
        mediaType,
        expectation: wrongIn(field, wrongBy(what), rests),
      }),
  };
}

/** Broken bodies of an operation that takes something else than speech requests. */
function brokenFamily(
  operationId: 'createTranscription' | 'createModel' | 'updateModel',
  shape: Shape,
  good: fc.Arbitrary<Fields>,
  mediaType: fc.Arbitrary<string>,
  refusals: readonly string[],
): CaseFamily<readonly [Fields, Breakage, string]> {
  return {
    name: `generated-broken-${operationId}`,
    about: `a request that the schema does not allow is refused by ${operationId}`,
    arbitrary: fc.tuple(good, fc.constantFrom(...breakagesOf(shape)), mediaType),
    toStep: ([fields, { what, apply, field, rests }, type]): CallStep => ({
      kind: 'call',
      operationId,
      name: `${operationId}, generated, ${what}`,
      expectation: { ...refused(wrongBy(what), ...refusals), field, ...(rests !== undefined && { rests }) },
      ...(operationId === 'createModel' && { cost: makeAndDelete }),
      ...(operationId === 'createTranscription' && { cost: { audioSeconds: 1 } }),
      call: () => ({ path: { id: 'speech-contract-no-such-voice' }, mediaType: type, fields: apply(fields) }),
    }),
  };
}

const transcriptions = shapeOf('TranscriptionRequest');
const goodTranscription = goodFields(transcriptions, { audio: fc.constant(aTone) }, ['language']);

/** A sentence: `what` names only what was generated, such as `self as a word`. */
const wrongBy = (what: string): string => `the request has a mistake (${what})`;

const creations = shapeOf('CreateModelRequest');
const goodCreation = goodFields(
  creations,
  {
    type: fc.constant('tts'),
    title: words.map((title) => `${runMark} ${title}`),
    train_mode: fc.constant('fast'),
    visibility: fc.constant('private'),
    voices: fc.constant([aTone]),
  },
  ['cover_image', 'texts', 'generate_sample'],
);

const changes = shapeOf('UpdateModelRequest');

const lists = queryOf(operationTable.listModels.path, 'get');
const goodQuery = goodFields(lists, {});

/** Possible mistakes in a query. It is all text, so wrong types show only in numbers and lists of values. */
const queryBreakages: readonly Breakage[] = [
  ...breakagesOf(lists).filter(
    ({ what }) => what.includes('below') || what.includes('list') || what.includes('fraction'),
  ),
  ...lists.fields
    .filter(({ schema }) => schema.type === 'integer' || schema.type === 'boolean')
    .map(({ name }) => ({
      what: `${name} as a word`,
      field: name,
      apply: (fields: Fields) => ({ ...fields, [name]: 'seven' }),
    })),
];

function asQuery(fields: Fields): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((entry): [string, string] => [name, String(entry)]),
  );
}

const goodLists: CaseFamily<Fields> = {
  name: 'generated-listModels',
  about: 'a query that the schema allows is accepted',
  arbitrary: goodQuery,
  toStep: (fields) => ({
    kind: 'call',
    operationId: 'listModels',
    name: 'listModels, generated',
    expectation: success,
    call: () => ({ query: asQuery(fields) }),
  }),
};

const brokenLists: CaseFamily<readonly [Fields, Breakage]> = {
  name: 'generated-broken-listModels',
  about: 'a query that the schema does not allow is refused',
  arbitrary: fc.tuple(goodQuery, fc.constantFrom(...queryBreakages)),
  toStep: ([fields, { what, apply, field }]) => ({
    kind: 'call',
    operationId: 'listModels',
    name: `listModels, generated, ${what}`,
    expectation: wrongIn(field, wrongBy(what), 'public'),
    call: () => ({ query: asQuery(apply(fields)) }),
  }),
};

const goodTranscriptions: CaseFamily<readonly [Fields, string]> = {
  name: 'generated-createTranscription',
  about: 'a request that the schema allows is accepted by createTranscription',
  arbitrary: fc.tuple(
    goodTranscription,
    fc.constantFrom(...operationTable.createTranscription.requestMediaTypes),
  ),
  toStep: ([fields, mediaType]) => ({
    kind: 'call',
    operationId: 'createTranscription',
    name: 'createTranscription, generated',
    expectation: success,
    cost: { audioSeconds: 1 },
    call: () => ({ mediaType, fields, headers: { [headerNames.model]: defaultModel } }),
  }),
};

/** Each family hands itself to whoever can work with any value. */
type UseFamily<Result> = <Value>(family: CaseFamily<Value>) => Result;

/** Applies `use` to each family, the most revealing ones first. */
export function eachFamily<Result>(use: UseFamily<Result>): Result[] {
  return [
    use(brokenSpeechFamily('createSpeech')),
    use(goodLists),
    use(brokenLists),
    use(goodSpeechFamily('streamSpeechWithTimestamps')),
    use(
      brokenFamily('updateModel', changes, goodFields(changes, {}), typedBodies, [
        'schema',
        'not-found',
        'forbidden',
      ]),
    ),
    use(brokenFamily('createModel', creations, goodCreation, typedBodies, ['schema'])),
    use(
      brokenFamily(
        'createTranscription',
        transcriptions,
        goodTranscription,
        fc.constant(mediaTypes.msgpack),
        ['schema'],
      ),
    ),
    use(brokenSpeechFamily('streamSpeechWithTimestamps')),
    use(goodSpeechFamily('createSpeech')),
    use(goodTranscriptions),
  ];
}
