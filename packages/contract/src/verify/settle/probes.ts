import { mediaTypes, synthesisModels } from '@speech-api/types';
import { call, greeting, scenario, speak, writing, wrongIn } from '../scenarios/making.ts';
import { createVoice, runMark, voiceStep } from '../scenarios/voice-lives.ts';
import type { CallStep, Fields, Scenario } from '../step.ts';
import { toneAsWav } from '../tone.ts';

// Questions to a server that `verify` does not ask: a server may answer them either way and keep the contract.

/** One voice model, changed once and read again. */
function change(what: string, fields: Fields, isJudged = true): CallStep[] {
  const life = `settle ${what}`;
  const mediaType = mediaTypes.json;
  // An update of one field, so that all others are compared.
  const another = { mediaType, fields: { tags: ['speech-contract'] } };
  return [
    createVoice(life, `to learn about ${what}`, `${runMark} ${what}`),
    voiceStep(life, isJudged ? 'update' : undefined, 'updateModel', what, { mediaType, fields }),
    // The description was not sent a second time, so that it must be as it was. Without a judged update, so must every field.
    ...(isJudged
      ? []
      : [voiceStep(life, 'update', 'updateModel', `${what}, and one of the tags alone`, another)]),
    voiceStep(life, 'read-updated', 'getModel', `after ${what}`),
    voiceStep(life, 'delete', 'deleteModel', `after ${what}`),
  ];
}

const spoken = { text: greeting };
const sample = { audio: toneAsWav({ seconds: 2 }), text: greeting };

/** Scenarios of `settle` alone. */
export const probes: readonly Scenario[] = [
  scenario(
    'settle-models',
    0,
    'each named model speaks',
    synthesisModels.map((model) => speak(`with the model ${model}`, spoken, { model })),
  ),
  scenario('settle-unknown-model', 0, 'a made-up model name falls back to the default', [
    speak('with a made-up model', spoken, { model: 'speech-contract-no-such-model' }),
  ]),
  scenario('settle-null', 0, 'null for a field without null is refused', [
    speak(
      'with temperature null',
      { ...spoken, temperature: null },
      { expectation: wrongIn('temperature', 'temperature is null', 'assumed') },
    ),
  ]),
  scenario('settle-third-field-of-a-reference', 0, 'a third field of a reference is refused', [
    speak(
      'with a third field of a reference',
      { ...spoken, references: [{ ...sample, mood: 'calm' }] },
      {
        mediaType: mediaTypes.msgpack,
        expectation: wrongIn('references.mood', 'a reference has audio and text alone', 'assumed'),
      },
    ),
  ]),
  scenario('settle-reference-in-json', 0, 'a reference as base64 in JSON is accepted', [
    speak('with a reference in JSON', { ...spoken, references: [sample] }),
  ]),
  scenario('settle-unknown-query', 0, 'an unknown query parameter is refused', [
    call(
      'getApiCredit',
      'with check_free_credit',
      { path: { user_id: 'self' }, query: { check_free_credit: true } },
      { expectation: wrongIn('check_free_credit', 'no operation names this parameter', 'assumed') },
    ),
  ]),
  scenario('settle-page-size', 0, 'a page size above 100 is accepted', [
    call('listModels', 'a page of 101', { query: { page_size: 101 } }),
  ]),
  writing(
    'settle-visibility',
    0,
    'an update changes the visibility',
    change('another visibility', { visibility: 'unlist' }),
  ),
  writing(
    'settle-tag-as-string',
    0,
    'tags may be one string, and replace the old ones',
    change('tags as one string', { tags: 'changed' }),
  ),
  writing(
    'settle-nulls',
    0,
    'an update with null changes nothing',
    change('nulls', { title: null, description: null, tags: null }, false),
  ),
  writing(
    'settle-empty-update',
    0,
    'an update without a field is accepted',
    change('an update without a field', {}, false),
  ),
  writing('settle-full', 0, 'a voice model may be made with train_mode full', [
    createVoice('settle full', 'with train_mode full', `${runMark} full`, { fields: { train_mode: 'full' } }),
    voiceStep('settle full', 'delete', 'deleteModel', 'with train_mode full'),
  ]),
];
