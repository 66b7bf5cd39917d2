import { randomUUID } from 'node:crypto';
import { mediaTypes, type OperationId, operationTable } from '@speech-api/types';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Memory } from '../memory.ts';
import { toneAsWav } from '../request/tone.ts';
import type { Call, CallStep, Scenario } from '../step.ts';
import { greeting, inGroups, jsonOf, refused, speak, success } from './making.ts';

/** In the title of every voice model that a run makes, so that a person can tell whose it is. */
export const runMark = `speech-contract ${randomUUID().slice(0, 8)}`;

/** Recordings are not judged, so a tone will do. */
const recording = toneAsWav({ seconds: 2 });

type StepOptions = Partial<
  Pick<CallStep, 'expectation' | 'groups' | 'remember' | 'needs' | 'needsState' | 'cost'>
>;

/** One call of a voice model operation. */
export function callModels(
  operationId: OperationId,
  what: string,
  call: (memory: Memory) => Call,
  options: StepOptions = {},
): CallStep {
  return {
    kind: 'call',
    operationId,
    name: `${operationId}, ${what}`,
    expectation: success,
    ...options,
    call,
  };
}

/** A server that makes what it should refuse costs a second call: the voice model is deleted again. */
export const makeAndDelete = { calls: 2 };

const path = (memory: Memory) => ({ path: { id: memory.get('voice') } });
const needs = ['voice'];

function rememberVoice(exchange: Exchange, memory: Memory): void {
  const id = jsonOf(exchange)?._id;
  if (typeof id === 'string') memory.set('voice', id);
}

/** A private voice, so that nobody else finds what a test has made. */
function settings(title: string) {
  return {
    type: 'tts',
    title,
    train_mode: 'fast',
    visibility: 'private',
    description: 'Made by a test of the contract; it is deleted again.',
    tags: ['speech-contract'],
  };
}

/** From its creation to its end, changed in every media type. */
function life(
  createAs: string,
  changes: readonly { as: string; fields: Record<string, unknown> }[],
): CallStep[] {
  const title = `${runMark} ${createAs}`;
  const role = (name: string) => ({ groups: inGroups(`voice ${createAs}`, ['voice', name]) });
  return [
    callModels(
      'createModel',
      `as ${createAs}`,
      () => ({
        mediaType: createAs,
        fields: { ...settings(title), voices: [recording], texts: [greeting] },
      }),
      { ...role('create'), remember: rememberVoice },
    ),
    callModels(
      'listModels',
      `own voices with the title and tag of one made as ${createAs}`,
      () => ({
        query: [
          ['self', 'true'],
          ['title', title],
          ['tag', 'speech-contract'],
        ],
      }),
      { ...role('list'), needs, needsState: true },
    ),
    ...changes.map(({ as, fields }) =>
      callModels('updateModel', `as ${as}`, (memory) => ({ ...path(memory), mediaType: as, fields }), {
        ...role('update'),
        needs,
      }),
    ),
    ...(changes.length > 0
      ? [
          callModels('getModel', `after the changes of one made as ${createAs}`, path, {
            ...role('read-updated'),
            needs,
          }),
        ]
      : []),
    callModels('deleteModel', `one made as ${createAs}`, path, { ...role('delete'), needs }),
    callModels('getModel', `a deleted one, made as ${createAs}`, path, {
      ...role('read-deleted'),
      needs,
      expectation: refused('the voice model was deleted', 'not-found'),
    }),
  ];
}

const [first = mediaTypes.multipart, ...others] = operationTable.createModel.requestMediaTypes;

/** A field of its own for each media type, so that each change is seen afterwards. */
const changes = [
  { title: `${runMark} changed` },
  { description: 'Changed by a test of the contract.' },
  { tags: ['speech-contract', 'changed'] },
  { visibility: 'unlist' },
];

/** Requests that make or change a voice model and are wrong in one thing. */
const wrongModels: readonly (readonly [
  what: string,
  operationId: 'createModel' | 'updateModel',
  call: Call,
  refusal: string,
])[] = [
  ['an unknown visibility', 'updateModel', { fields: { visibility: 'unlisted' } }, 'schema'],
  ['an unknown change', 'updateModel', { fields: { titel: 'Harbour' } }, 'schema'],
  [
    'a change as plain text',
    'updateModel',
    { mediaType: 'text/plain', bytes: utf8('title: Harbour') },
    'media-type',
  ],
  ['plain text', 'createModel', { mediaType: 'text/plain', bytes: utf8('title: Harbour') }, 'media-type'],
  ['no recording', 'createModel', { fields: settings(`${runMark} no recording`) }, 'schema'],
  [
    'an unknown train mode',
    'createModel',
    { fields: { ...settings(`${runMark} train mode`), train_mode: 'slow', voices: [recording] } },
    'schema',
  ],
];

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Reads a new voice model before and after one field of it changes, and deletes it twice. */
function keptSteps(): CallStep[] {
  const as = operationTable.createModel.requestMediaTypes[0] ?? mediaTypes.multipart;
  const group = (name: string) => ({ groups: inGroups('voice kept', ['voice', name]) });
  const title = `${runMark} kept`;
  return [
    callModels(
      'createModel',
      'with every text field',
      () => ({ mediaType: as, fields: { ...settings(title), voices: [recording] } }),
      {
        ...group('create'),
        remember: rememberVoice,
      },
    ),
    callModels('getModel', 'just made', path, { ...group('read'), needs }),
    callModels(
      'updateModel',
      'of one field',
      (memory) => ({ ...path(memory), fields: { description: 'Changed alone.' } }),
      {
        ...group('update'),
        needs,
      },
    ),
    callModels('getModel', 'after a change of one field', path, { ...group('read-updated'), needs }),
    callModels('deleteModel', 'for the first time', path, { ...group('delete'), needs }),
    callModels('deleteModel', 'for the second time', path, {
      needs,
      expectation: refused('the voice model was deleted before', 'not-found'),
    }),
  ];
}

export const voiceModels: readonly Scenario[] = [
  {
    name: 'voice-life',
    about: 'a voice model is made, found, changed in four media types, read, deleted, and gone',
    priority: 4,
    writes: true,
    steps: life(
      first,
      operationTable.updateModel.requestMediaTypes.map((as, index) => ({
        as,
        fields: changes[index % changes.length] ?? {},
      })),
    ),
  },
  ...others.map((as, index): Scenario => {
    const steps = life(as, []);
    return {
      name: `voice-from-${as.split('/')[1]}`,
      about: `a voice model is made as ${as} and deleted`,
      priority: 5 + index,
      writes: true,
      // What comes before and after is seen in the whole life of another one.
      steps: steps.filter(
        ({ operationId }) => operationId === 'createModel' || operationId === 'deleteModel',
      ),
    };
  }),
  {
    name: 'voice-read-and-used',
    about: 'a listed voice model is read and speaks',
    priority: 7,
    steps: [
      callModels('listModels', 'one voice', () => ({ query: [['page_size', '1']] }), {
        remember: (exchange, memory) => {
          const [item] = itemsOf(exchange);
          if (typeof item?._id === 'string') memory.set('voice', item._id);
        },
      }),
      callModels('getModel', 'one of the list', path, { needs }),
      speak('with a saved voice', (memory) => ({ text: greeting, reference_id: memory.get('voice') }), {
        needs,
      }),
    ],
  },
  {
    name: 'voice-dialogue',
    about: 'two saved voices speak in turn',
    priority: 42,
    steps: [
      callModels('listModels', 'two voices', () => ({ query: [['page_size', '2']] }), {
        remember: (exchange, memory) => {
          const ids = itemsOf(exchange).map(({ _id }) => _id);
          // Where there is one voice alone, it speaks with itself.
          const [first, second = first] = ids.filter((id) => typeof id === 'string');
          if (first !== undefined) memory.set('voice 0', first);
          if (second !== undefined) memory.set('voice 1', second);
        },
      }),
      speak(
        'a dialogue of two',
        (memory) => ({
          text: '<|speaker:0|>Good morning.<|speaker:1|>And to you.',
          reference_id: [memory.get('voice 0'), memory.get('voice 1')],
        }),
        { needs: ['voice 0', 'voice 1'] },
      ),
    ],
  },
  {
    name: 'voice-unknown',
    about: 'what does not exist is neither read, changed nor deleted',
    priority: 46,
    writes: true,
    steps: (['getModel', 'updateModel', 'deleteModel'] as const).map((operationId) =>
      callModels(
        operationId,
        'one that does not exist',
        () => ({
          path: { id: 'speech-contract-no-such-voice' },
          ...(operationId === 'updateModel' && { fields: { title: 'Nobody' } }),
        }),
        { expectation: refused('there is no voice model with this id', 'not-found') },
      ),
    ),
  },
  {
    name: 'voice-kept',
    about: 'a change of one field leaves the others as they are, and what was deleted is deleted once',
    priority: 46.5,
    writes: true,
    steps: keptSteps(),
  },
  ...wrongModels.map(
    ([what, operationId, wrong, refusal]): Scenario => ({
      name: `voice-${what.replaceAll(' ', '-')}`,
      about: `${operationId} with ${what} is refused`,
      priority: 54.5,
      writes: true,
      steps: [
        callModels(
          operationId,
          `with ${what}`,
          () =>
            operationId === 'createModel'
              ? { fields: { ...settings(`${runMark} ${what}`), voices: [recording] }, ...wrong }
              : { path: { id: 'speech-contract-no-such-voice' }, ...wrong },
          {
            expectation: refused(
              `it has ${what}`,
              refusal,
              ...(operationId === 'updateModel' ? ['not-found'] : []),
            ),
            ...(operationId === 'createModel' && { cost: makeAndDelete }),
          },
        ),
      ],
    }),
  ),
  {
    name: 'voice-without-title',
    about: 'a voice model without a title is not made',
    priority: 44,
    writes: true,
    steps: [
      callModels(
        'createModel',
        'without a title',
        () => {
          const { title: _left, ...rest } = settings('');
          return { fields: { ...rest, voices: [recording] } };
        },
        { expectation: refused('the title is missing', 'schema'), cost: makeAndDelete },
      ),
    ],
  },
  {
    name: 'voice-public-without-cover',
    about: 'a public voice model without a cover is not made',
    priority: 54,
    writes: true,
    steps: [
      callModels(
        'createModel',
        'public, without a cover',
        () => ({
          fields: { ...settings(`${runMark} without cover`), visibility: 'public', voices: [recording] },
        }),
        { expectation: refused('it is public and has no cover_image', 'model-rule'), cost: makeAndDelete },
      ),
    ],
  },
];

export function itemsOf(exchange: Exchange): Record<string, unknown>[] {
  const items = jsonOf(exchange)?.items;
  return Array.isArray(items) ? items.filter((item) => typeof item === 'object' && item !== null) : [];
}
