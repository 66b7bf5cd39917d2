import { randomUUID } from 'node:crypto';
import { limits, mediaTypes, type OperationId, operationTable } from '@speech-api/types';
import type { Exchange, Expectation } from '../../exchange.ts';
import type { Memory } from '../make-step.ts';
import { toneAsWav } from '../request.ts';
import type { Call, CallStep, Key, Scenario } from '../step.ts';
import { greeting, inGroups, jsonOf, refused, scenario, success, wrongIn } from './making.ts';

/** In the title of every voice model that a run makes, so that a person can tell whose it is. */
export const runMark = `speech-contract ${randomUUID().slice(0, 8)}`;

/** Recordings are not judged, so a tone will do. */
export const recording = toneAsWav({ seconds: 2 });

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

/** The id of the voice model that a step before has noted. */
export const path = (memory: Memory) => ({ path: { id: memory.get('voice') } });
export const needs = ['voice'];

/** Notes the id of the voice model that was answered. */
export function rememberVoice(exchange: Exchange, memory: Memory): void {
  const id = jsonOf(exchange)?._id;
  if (typeof id === 'string') memory.set('voice', id);
}

/** A private voice, so that other users do not find what a test has made. */
export function settings(title: string) {
  return {
    type: 'tts',
    title,
    train_mode: 'fast',
    visibility: 'private',
    description: 'Made by a test of the contract; it is deleted again.',
    tags: ['speech-contract', 'harbour'],
  };
}

/** The voice models of a list that was answered; none for any other answer. */
export function itemsOf(exchange: Exchange): Record<string, unknown>[] {
  const items = jsonOf(exchange)?.items;
  return Array.isArray(items) ? items.filter((item) => typeof item === 'object' && item !== null) : [];
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

/** Text beyond ASCII and two tags in each way to write them. The last change of a field is read afterwards. */
const changes: readonly Record<string, unknown>[] = [
  { title: `${runMark} changed` },
  { description: 'Changed by a form: 1 & 2.', tags: ['speech-contract', 'a form'] },
  { description: 'Changed by a form of parts.' },
  { description: 'Changed by MessagePack: 港口 🚢', tags: ['speech-contract', 'MessagePack'] },
];

type Changed = 'getModel' | 'updateModel' | 'deleteModel';

/** A bad key, and what is wrong with it in words. */
export interface BadKeyTold {
  readonly key: Key;
  readonly words: string;
  readonly expectation: Expectation;
}

/** A description and two tags, written in a media type and read again. */
function changedAs(mediaType: string, id: string): CallStep[] {
  const fields = {
    description: `As ${mediaType}: 1 & 2, 港口 🚢`,
    tags: ['speech-contract', `as ${mediaType}`],
  };
  return [
    callModels(
      'updateModel',
      `of its own, as ${mediaType}`,
      (memory) => ({ ...path(memory), mediaType, fields }),
      {
        groups: inGroups(id, ['voice', 'update']),
        needs,
      },
    ),
    callModels('getModel', `after a change as ${mediaType}`, path, {
      groups: inGroups(id, ['voice', 'read-updated']),
      needs,
    }),
  ];
}

const ownWhoeverTheAuthor = [
  ['self', 'true'],
  ['author_id', 'speech-contract-nobody'],
] as const;

/**
 * Reads a new voice model before and after one field of it changes and once it is deleted, and deletes it twice.
 * Only on a voice model of its own can the judge try what a bad key is let do.
 */
function keptSteps(badKeyFor: (operationId: Changed) => BadKeyTold): CallStep[] {
  const as = operationTable.createModel.requestMediaTypes[0] ?? mediaTypes.multipart;
  const group = (name: string) => ({ groups: inGroups('voice kept', ['voice', name]) });
  const withBadKey = (operationId: Changed, fields?: object) => {
    const { key, words, expectation } = badKeyFor(operationId);
    return callModels(
      operationId,
      `of its own, ${words}`,
      (memory) => ({ ...path(memory), key, ...(fields !== undefined && { fields }) }),
      { needs, expectation },
    );
  };
  // Other scripts, an emoji and what looks like markup come back as they were sent.
  const title = `${runMark} kept: 港口 Größe & <b> &amp; 🚢`;
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
    withBadKey('getModel'),
    // With self an author is ignored, so that an empty list shows a server that looks at it.
    callModels('listModels', 'own ones, with the one just made', () => ({ query: ownWhoeverTheAuthor }), {
      ...group('list'),
      needs,
      needsState: true,
    }),
    withBadKey('updateModel', { description: 'Changed with a bad key.' }),
    callModels(
      'updateModel',
      'with a title that is a number',
      (memory) => ({ ...path(memory), fields: { title: 7 } }),
      { needs, expectation: wrongIn('title', 'the title is a number') },
    ),
    callModels(
      'updateModel',
      'of one field',
      (memory) => ({ ...path(memory), fields: { title: `${title}, changed alone` } }),
      {
        ...group('update'),
        needs,
      },
    ),
    callModels('getModel', 'after a change of one field', path, { ...group('read-updated'), needs }),
    ...['application/x-www-form-urlencoded', mediaTypes.msgpack].flatMap((mediaType) =>
      changedAs(mediaType, `voice kept, changed as ${mediaType}`),
    ),
    withBadKey('deleteModel'),
    callModels('deleteModel', 'for the first time', path, { ...group('delete'), needs }),
    callModels('getModel', 'deleted', path, {
      ...group('read-deleted'),
      needs,
      expectation: refused('the voice model was deleted', 'not-found'),
    }),
    callModels('deleteModel', 'for the second time', path, {
      needs,
      expectation: refused('the voice model was deleted before', 'not-found'),
    }),
  ];
}

/** Voice models from their creation to their end. */
export const voiceLives: readonly Scenario[] = [
  scenario(
    'voice-life',
    4,
    'a voice model is made, found, changed in four media types, read, deleted, and gone',
    life(
      first,
      operationTable.updateModel.requestMediaTypes.map((as, index) => ({
        as,
        fields: changes[index % changes.length] ?? {},
      })),
    ),
    { writes: true },
  ),
  ...others.map((as, index): Scenario => {
    const steps = life(as, []);
    return scenario(
      `voice-from-${as.split('/')[1]}`,
      5 + index,
      `a voice model is made as ${as} and deleted`,
      steps.filter(({ operationId }) => operationId === 'createModel' || operationId === 'deleteModel'),
      { writes: true },
    );
  }),
  scenario(
    'voice-of-many-recordings',
    59.5,
    'a voice model is made of as many recordings as there may be',
    [
      callModels(
        'createModel',
        'of as many recordings as there may be',
        () => ({
          fields: { ...settings(`${runMark} many`), voices: Array(limits.createModelVoices).fill(recording) },
        }),
        { remember: rememberVoice },
      ),
      callModels('deleteModel', 'the one of many recordings', path, { needs }),
    ],
    { writes: true },
  ),
];

/** The life of a voice model that other keys may not touch. */
export function voiceKept(badKeyFor: (operationId: Changed) => BadKeyTold): Scenario {
  return scenario(
    'voice-kept',
    46.5,
    'a change of one field leaves the others as they are, a bad key changes nothing, and what was deleted is gone',
    keptSteps(badKeyFor),
    { writes: true },
  );
}
