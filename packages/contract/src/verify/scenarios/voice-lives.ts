import { randomUUID } from 'node:crypto';
import { limits, mediaTypes, type OperationId, operationTable } from '@speech-api/types';
import { type Expectation, responseOf } from '../../exchange.ts';
import { asObject, isObject, type JsonObject } from '../../specification/document.ts';
import { isSuccess } from '../../subjects/answer.ts';
import { isStale } from '../../subjects/exchange-group.ts';
import type { Call, CallStep, Key, Memory, Scenario } from '../step.ts';
import {
  call,
  greeting,
  inGroups,
  jsonOf,
  refused,
  rememberText,
  scenario,
  toneAsWav,
  writing,
  wrongIn,
} from './making.ts';

/** Part of the title of every voice model of a run, so that people can see its origin. */
export const runMark = `speech-contract ${randomUUID().slice(0, 8)}`;

/** Recordings are not judged, so a tone will do. */
export const recording = toneAsWav({ seconds: 2 });

/** A server that accepts a wrong creation costs a second call, which deletes the voice model. */
export const makeAndDelete = { calls: 2 };

/** The path with the id of the voice model that an earlier step has stored. */
export const path = (memory: Memory) => ({ path: { id: memory.get('voice') } });
export const needs = ['voice'];

/** A private voice, so that other users do not find test data. */
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

/** The voice models of a list that was answered. */
export function itemsOf({ items }: JsonObject): readonly JsonObject[] {
  return Array.isArray(items) ? items.filter(isObject) : [];
}

export function firstOf(list: JsonObject): JsonObject {
  return itemsOf(list)[0] ?? {};
}

/** A step in the life of a voice model. Steps with a role are judged together with the others of the same life. */
function voiceStep(
  life: string,
  role: string | undefined,
  operationId: OperationId,
  what: string,
  made: Call = {},
  more: Parameters<typeof call>[3] = {},
): CallStep {
  return call(operationId, what, (memory) => ({ ...path(memory), ...made }), {
    needs,
    ...(role !== undefined && { groups: inGroups(life, ['voice', role]) }),
    ...more,
  });
}

/** Creates the voice model and stores what the later steps need. */
function createVoice(life: string, what: string, title: string, { fields, ...made }: Call = {}): CallStep {
  const whole = { ...settings(title), voices: [recording], ...asObject(fields) };
  return call(
    'createModel',
    what,
    { ...made, fields: whole },
    { groups: inGroups(life, ['voice', 'create']), ...rememberText('voice', ({ _id }) => _id) },
  );
}

/** The deletion that ends the life of a voice model. */
const deleting: Parameters<typeof call>[3] = {
  remember: (exchange, memory) => {
    if (isSuccess(responseOf(exchange).status)) memory.set('deletion', 'done');
  },
};
const gone = {
  expectation: refused('the voice model was deleted', 'not-found'),
  needs: [...needs, 'deletion'],
};

/** A life from creation to deletion. */
function lifeAs(mediaType: string): CallStep[] {
  const life = `voice ${mediaType}`;
  const title = `${runMark} ${mediaType}`;
  const search = { query: { self: true, title, tag: 'speech-contract' } };
  return [
    createVoice(life, `as ${mediaType}`, title, { mediaType, fields: { texts: [greeting] } }),
    voiceStep(
      life,
      'list-created',
      'listModels',
      `own voices with the title and tag of one made as ${mediaType}`,
      search,
      {
        needsState: true,
      },
    ),
    voiceStep(life, 'delete', 'deleteModel', `one made as ${mediaType}`, {}, deleting),
    voiceStep(life, 'read-deleted', 'getModel', `a deleted one, made as ${mediaType}`, {}, gone),
  ];
}

const [first = mediaTypes.multipart, ...others] = operationTable.createModel.requestMediaTypes;

type Changed = 'getModel' | 'updateModel' | 'deleteModel';

/** A bad key with a description of its fault. */
interface BadKeyTold {
  readonly key: Key;
  readonly words: string;
  readonly expectation: Expectation;
}

/** Writes the fields of a change that come back as sent, in one media type, with text beyond ASCII and two tags, and reads them back. */
function changedAs(mediaType: string): CallStep[] {
  const life = `voice kept, changed as ${mediaType}`;
  const fields = {
    title: `${runMark} as ${mediaType}`,
    description: `As ${mediaType}: 1 & 2, 港口 🚢`,
    tags: ['speech-contract', `as ${mediaType}`],
  };
  return [
    voiceStep(life, 'update', 'updateModel', `of its own, as ${mediaType}`, { mediaType, fields }),
    voiceStep(life, 'read-updated', 'getModel', `after a change as ${mediaType}`),
  ];
}

/**
 * Reads a new voice model before and after one field of it changes and once it is deleted, and deletes it twice.
 * Only with its own voice model can the judge safely try bad keys.
 */
function keptSteps(badKeyFor: (operationId: Changed) => BadKeyTold): CallStep[] {
  const life = 'voice kept';
  const withBadKey = (operationId: Changed, made: Call = {}) => {
    const { key, words, expectation } = badKeyFor(operationId);
    return voiceStep(life, undefined, operationId, `of its own, ${words}`, { ...made, key }, { expectation });
  };
  // Other scripts, an emoji and what looks like markup come back as they were sent.
  const title = `${runMark} kept: 港口 Größe & <b> &amp; 🚢`;
  // With `self` an author is ignored, so an empty list shows a server that filters by it.
  const search = { query: { self: true, author_id: 'speech-contract-nobody' } };
  return [
    createVoice(life, 'with every text field', title, { mediaType: first }),
    voiceStep(life, 'read', 'getModel', 'just made'),
    withBadKey('getModel'),
    voiceStep(life, 'list-created', 'listModels', 'own ones, with the one just made', search, {
      needsState: true,
    }),
    withBadKey('updateModel', { fields: { description: 'Changed with a bad key.' } }),
    voiceStep(
      life,
      undefined,
      'updateModel',
      'with a title that is a number',
      { fields: { title: 7 } },
      { expectation: wrongIn('title', 'the title is a number') },
    ),
    voiceStep(life, 'update', 'updateModel', 'of one field', {
      fields: { title: `${title}, changed alone` },
    }),
    voiceStep(life, 'read-updated', 'getModel', 'after a change of one field'),
    ...operationTable.updateModel.requestMediaTypes.flatMap(changedAs),
    withBadKey('deleteModel'),
    voiceStep(life, 'delete', 'deleteModel', 'for the first time', {}, deleting),
    voiceStep(life, 'read-deleted', 'getModel', 'deleted', {}, gone),
    voiceStep(life, undefined, 'deleteModel', 'for the second time', {}, gone),
  ];
}

/** Creates, renames and deletes a voice model, and lists those of the caller twice after each change. */
function listedSteps(): CallStep[] {
  const life = 'voice listed';
  const title = `${runMark} renamed`;
  const lists = (change: Parameters<typeof isStale>[0]) =>
    ['at once', 'later'].map((when) =>
      voiceStep(
        life,
        `list-${change}`,
        'listModels',
        `${when}, after one was ${change}`,
        { query: { self: true, page_size: 100 } },
        {
          needs: change === 'deleted' ? gone.needs : needs,
          // A list that shows the change at once needs no pause before the second one.
          ...(when === 'later' && { waitsWhere: change }),
          remember: (exchange, memory) => {
            const model = { _id: memory.get('voice'), title };
            if (isStale(change, asObject(jsonOf(exchange)), model)) memory.set(change, 'is missing');
          },
        },
      ),
    );
  return [
    createVoice(life, 'to be listed', `${runMark} listed`),
    ...lists('created'),
    voiceStep(life, 'update', 'updateModel', 'of the title in the list', { fields: { title } }),
    ...lists('updated'),
    voiceStep(life, 'delete', 'deleteModel', 'one that is listed', {}, deleting),
    ...lists('deleted'),
  ];
}

/** Voice models from their creation to their end. */
export const voiceLives: readonly Scenario[] = [
  writing('voice-life', 'a voice model is made, found, deleted, and gone', lifeAs(first)),
  ...others.map((as) =>
    writing(
      `voice-from-${as.split('/')[1]}`,
      `a voice model is made as ${as} and deleted`,
      lifeAs(as).filter(({ operationId }) => /^(create|delete)/.test(operationId)),
    ),
  ),
  writing('voice-listed', 'the list shows what was made, renamed and deleted', listedSteps()),
  writing('voice-of-many-recordings', 'a voice model is made of as many recordings as there may be', [
    createVoice('voice of many', 'of as many recordings as there may be', `${runMark} many`, {
      fields: { voices: Array(limits.createModelVoices).fill(recording) },
    }),
    voiceStep('voice of many', 'delete', 'deleteModel', 'the one of many recordings'),
  ]),
];

/** The life of a voice model that must survive calls with other keys. */
export function voiceKept(badKeyFor: (operationId: Changed) => BadKeyTold): Scenario {
  const about =
    'a change of one field leaves the others as they are, a bad key changes nothing, and what was deleted is gone';
  return scenario('voice-kept', about, keptSteps(badKeyFor), { isQuick: true, writes: true });
}
