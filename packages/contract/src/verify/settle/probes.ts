import { mediaTypes, synthesisModels } from '@speech-api/types';
import { toneAsWav } from '../request.ts';
import { greeting, inGroups, scenario, speak, success, wrongIn } from '../scenarios/making.ts';
import {
  callModels,
  needs,
  path,
  recording,
  rememberVoice,
  runMark,
  settings,
} from '../scenarios/voice-lives.ts';
import type { CallStep, Scenario } from '../step.ts';

// Questions to a server that `verify` does not ask: a server may answer them either way and keep the contract.

/** One voice model, changed once and read again. */
function change(what: string, fields: Record<string, unknown>, isJudged = true): CallStep[] {
  const role = (name: string) => ({ groups: inGroups(`settle ${what}`, ['voice', name]) });
  return [
    callModels(
      'createModel',
      `to learn about ${what}`,
      () => ({ fields: { ...settings(`${runMark} ${what}`), voices: [recording] } }),
      { ...role('create'), remember: rememberVoice },
    ),
    callModels('updateModel', what, (memory) => ({ ...path(memory), mediaType: mediaTypes.json, fields }), {
      ...(isJudged && role('update')),
      needs,
    }),
    // The description was not sent a second time, so that it must be as it was. Without a judged update, so must every field.
    ...(isJudged ? [] : [unchanged(what)]),
    callModels('getModel', `after ${what}`, path, { ...role('read-updated'), needs }),
    callModels('deleteModel', `after ${what}`, path, { ...role('delete'), needs }),
  ];
}

/** An update of one field, so that all others are compared. */
const unchanged = (what: string): CallStep =>
  callModels(
    'updateModel',
    `${what}, and one of the tags alone`,
    (memory) => ({ ...path(memory), mediaType: mediaTypes.json, fields: { tags: ['speech-contract'] } }),
    { groups: inGroups(`settle ${what}`, ['voice', 'update']), needs },
  );

const sample = { audio: toneAsWav({ seconds: 2 }), text: greeting };

/** Scenarios of `settle` alone. */
export const probes: readonly Scenario[] = [
  scenario(
    'settle-models',
    0,
    'each named model speaks',
    synthesisModels.map((model) => speak(`with the model ${model}`, { text: greeting }, { model })),
  ),
  scenario('settle-unknown-model', 0, 'a made-up model name falls back to the default', [
    speak('with a made-up model', { text: greeting }, { model: 'speech-contract-no-such-model' }),
  ]),
  scenario('settle-null', 0, 'null for a field without null is refused', [
    speak(
      'with temperature null',
      { text: greeting, temperature: null },
      { expectation: wrongIn('temperature', 'temperature is null', 'assumed') },
    ),
  ]),
  scenario('settle-third-field-of-a-reference', 0, 'a third field of a reference is refused', [
    speak(
      'with a third field of a reference',
      { text: greeting, references: [{ ...sample, mood: 'calm' }] },
      {
        mediaType: mediaTypes.msgpack,
        expectation: wrongIn('references.mood', 'a reference has audio and text alone', 'assumed'),
      },
    ),
  ]),
  scenario('settle-reference-in-json', 0, 'a reference as base64 in JSON is accepted', [
    speak('with a reference in JSON', { text: greeting, references: [sample] }),
  ]),
  scenario('settle-unknown-query', 0, 'an unknown query parameter is refused', [
    {
      kind: 'call',
      operationId: 'getApiCredit',
      name: 'getApiCredit, with check_free_credit',
      expectation: wrongIn('check_free_credit', 'no operation names this parameter', 'assumed'),
      call: () => ({ path: { user_id: 'self' }, query: [['check_free_credit', 'true']] }),
    },
  ]),
  scenario('settle-page-size', 0, 'a page size above 100 is accepted', [
    callModels('listModels', 'a page of 101', () => ({ query: [['page_size', '101']] })),
  ]),
  scenario(
    'settle-visibility',
    0,
    'an update changes the visibility',
    change('another visibility', { visibility: 'unlist' }),
    { writes: true },
  ),
  scenario(
    'settle-tag-as-string',
    0,
    'tags may be one string, and replace the old ones',
    change('tags as one string', { tags: 'changed' }),
    { writes: true },
  ),
  scenario(
    'settle-nulls',
    0,
    'an update with null changes nothing',
    change('nulls', { title: null, description: null, tags: null }, false),
    { writes: true },
  ),
  scenario(
    'settle-empty-update',
    0,
    'an update without a field is accepted',
    change('an update without a field', {}, false),
    { writes: true },
  ),
  scenario(
    'settle-full',
    0,
    'a voice model may be made with train_mode full',
    [
      callModels(
        'createModel',
        'with train_mode full',
        () => ({
          fields: { ...settings(`${runMark} full`), train_mode: 'full', voices: [recording] },
        }),
        { expectation: success, remember: rememberVoice },
      ),
      callModels('deleteModel', 'with train_mode full', path, { needs }),
    ],
    { writes: true },
  ),
];
