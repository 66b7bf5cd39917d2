import {
  audioFormats,
  defaultModel,
  headerNames,
  mediaTypes,
  operationTable,
  sampleRates,
} from '@speech-api/types';
import fc from 'fast-check';
import { call, type SpeechOperation, speak, wrongIn } from '../scenarios/making.ts';
import { makeAndDelete, runMark } from '../scenarios/voice-lives.ts';
import type { CallStep, Fields, Query } from '../step.ts';
import { toneAsWav } from '../tone.ts';
import { arbitraryOf, words } from './arbitrary-of.ts';
import { type Breakage, breakagesOf } from './break-rule.ts';
import type { CaseFamily } from './generated-scenarios.ts';
import { queryOf, type Shape, shapeOf } from './shape.ts';

const typedBodies = fc.constantFrom(mediaTypes.json, mediaTypes.msgpack);
const aTone = toneAsWav({ seconds: 1, sampleRate: 8000 });

/** Good values for some of the fields; those that are `given` are always there. */
function goodFields(
  shape: Shape,
  given: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  left: readonly string[] = [],
): fc.Arbitrary<Fields> {
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

function goodSpeechFamily(operationId: SpeechOperation): CaseFamily {
  return {
    name: `generated-${operationId}`,
    about: `a request that the schema allows is accepted by ${operationId}`,
    steps: fc
      .tuple(goodSpeech, typedBodies)
      .map(([fields, mediaType]) => speak('generated', fields, { operationId, mediaType })),
  };
}

/** The name of a step with a mistake, and the refusal that it deserves. */
function wrongBy({ what, field, rests }: Breakage, ...others: readonly string[]) {
  // A sentence: `what` names only what was generated, such as `self as a word`.
  const expected = wrongIn(field, `the request has a mistake (${what})`, rests);
  const refusals = ['schema', ...others];
  return { what: `generated, ${what}`, expectation: { ...expected, refusals } };
}

function brokenSpeechFamily(operationId: SpeechOperation): CaseFamily {
  const breakages = fc.constantFrom(...breakagesOf({ ...settings, closed: true }));
  return {
    name: `generated-broken-${operationId}`,
    about: `a request that the schema does not allow is refused by ${operationId}`,
    steps: fc.tuple(goodSpeech, breakages, typedBodies).map(([fields, breakage, mediaType]) => {
      const { what, expectation } = wrongBy(breakage);
      return speak(what, breakage.apply(fields), { operationId, mediaType, expectation });
    }),
  };
}

/** Broken bodies of an operation that takes something else than speech requests. */
function brokenFamily(
  operationId: 'createTranscription' | 'createModel' | 'updateModel',
  shape: Shape,
  good: fc.Arbitrary<Fields>,
  mediaType: fc.Arbitrary<string>,
  more: Pick<CallStep, 'cost'> & { readonly refusals?: readonly string[] },
): CaseFamily {
  const { refusals = [], ...options } = more;
  const path = { id: 'speech-contract-no-such-voice' };
  return {
    name: `generated-broken-${operationId}`,
    about: `a request that the schema does not allow is refused by ${operationId}`,
    steps: fc
      .tuple(good, fc.constantFrom(...breakagesOf(shape)), mediaType)
      .map(([fields, breakage, type]) => {
        const { what, expectation } = wrongBy(breakage, ...refusals);
        const made = { path, mediaType: type, fields: breakage.apply(fields) };
        return call(operationId, what, made, { ...options, expectation });
      }),
  };
}

const transcriptions = shapeOf('TranscriptionRequest');
const goodTranscription = goodFields(transcriptions, { audio: fc.constant(aTone) }, ['language']);
const aSecond = { cost: { audioSeconds: 1 } };

const goodTranscriptions: CaseFamily = {
  name: 'generated-createTranscription',
  about: 'a request that the schema allows is accepted by createTranscription',
  steps: fc
    .tuple(goodTranscription, fc.constantFrom(...operationTable.createTranscription.requestMediaTypes))
    .map(([fields, mediaType]) => {
      const headers = { [headerNames.model]: defaultModel };
      return call('createTranscription', 'generated', { mediaType, fields, headers }, aSecond);
    }),
};

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

const lists = queryOf('listModels');
const goodQuery = goodFields(lists, {});

/** Possible mistakes in a query. It is all text, so wrong types show only in numbers and lists of values. */
const queryBreakages: readonly Breakage[] = [
  ...breakagesOf(lists).filter(({ what }) => /below|list|fraction/.test(what)),
  ...lists.fields
    .filter(({ schema }) => schema.type === 'integer' || schema.type === 'boolean')
    .map(({ name }) => ({
      what: `${name} as a word`,
      field: name,
      apply: (fields: Fields) => ({ ...fields, [name]: 'seven' }),
    })),
];

const goodLists: CaseFamily = {
  name: 'generated-listModels',
  about: 'a query that the schema allows is accepted',
  steps: goodQuery.map((query) => call('listModels', 'generated', { query: query as Query })),
};

const brokenLists: CaseFamily = {
  name: 'generated-broken-listModels',
  about: 'a query that the schema does not allow is refused',
  steps: fc.tuple(goodQuery, fc.constantFrom(...queryBreakages)).map(([fields, breakage]) => {
    const { what, expectation } = wrongBy({ ...breakage, rests: 'public' });
    return call('listModels', what, { query: breakage.apply(fields) as Query }, { expectation });
  }),
};

/** The families, the most revealing ones first. */
export function families(): readonly CaseFamily[] {
  return [
    brokenSpeechFamily('createSpeech'),
    goodLists,
    brokenLists,
    goodSpeechFamily('streamSpeechWithTimestamps'),
    brokenFamily('updateModel', changes, goodFields(changes, {}), typedBodies, {
      refusals: ['not-found', 'forbidden'],
    }),
    brokenFamily('createModel', creations, goodCreation, typedBodies, { cost: makeAndDelete }),
    brokenFamily(
      'createTranscription',
      transcriptions,
      goodTranscription,
      fc.constant(mediaTypes.msgpack),
      aSecond,
    ),
    brokenSpeechFamily('streamSpeechWithTimestamps'),
    goodSpeechFamily('createSpeech'),
    goodTranscriptions,
  ];
}
