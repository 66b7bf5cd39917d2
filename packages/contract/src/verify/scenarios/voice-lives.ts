import { limits, mediaTypes, operationTable } from '@speech-api/types';
import type { CallStep, Scenario } from '../step.ts';
import { greeting, inGroups, refused } from './making.ts';
import { callModels, needs, path, recording, rememberVoice, runMark, settings } from './voice-steps.ts';

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

/** Voice models from their creation to their end. */
export const voiceLives: readonly Scenario[] = [
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
    name: 'voice-kept',
    about: 'a change of one field leaves the others as they are, and what was deleted is deleted once',
    priority: 46.5,
    writes: true,
    steps: keptSteps(),
  },
  {
    name: 'voice-of-many-recordings',
    about: 'a voice model is made of as many recordings as there may be',
    priority: 59.5,
    writes: true,
    steps: [
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
  },
];
