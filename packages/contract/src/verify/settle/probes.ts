import { mediaTypes, synthesisModels } from '@speech-api/types';
import { call, greeting, scenario, speak, writing, wrongIn } from '../scenarios/making.ts';
import { createVoice, runMark, voiceStep } from '../scenarios/voice-lives.ts';
import type { CallStep, Fields, Scenario } from '../step.ts';
import { toneAsWav } from '../tone.ts';

// Questions to a server that `verify` does not ask: a server may answer them either way and keep the contract.

const probe = (name: string, about: string, ...steps: CallStep[]): Scenario =>
  scenario(`settle-${name}`, 0, about, steps);

/** A change of one voice model, which is read again afterwards. */
function change(name: string, about: string, what: string, fields: Fields, isJudged = true): Scenario {
  const life = `settle ${what}`;
  const made = { mediaType: mediaTypes.json, fields };
  // An update of one field, so that all others are compared.
  const another = { mediaType: mediaTypes.json, fields: { tags: ['speech-contract'] } };
  return writing(`settle-${name}`, 0, about, [
    createVoice(life, `to learn about ${what}`, `${runMark} ${what}`),
    voiceStep(life, isJudged ? 'update' : undefined, 'updateModel', what, made),
    // The description was not sent a second time, so that it must be as it was. Without a judged update, so must every field.
    ...(isJudged
      ? []
      : [voiceStep(life, 'update', 'updateModel', `${what}, and one of the tags alone`, another)]),
    voiceStep(life, 'read-updated', 'getModel', `after ${what}`),
    voiceStep(life, 'delete', 'deleteModel', `after ${what}`),
  ]);
}

const spoken = { text: greeting };
const sample = { audio: toneAsWav({ seconds: 2 }), text: greeting };
const assumed = (field: string, because: string) => ({ expectation: wrongIn(field, because, 'assumed') });

/** Scenarios of `settle` alone. */
export const probes: readonly Scenario[] = [
  probe(
    'models',
    'each named model speaks',
    ...synthesisModels.map((model) => speak(`with the model ${model}`, spoken, { model })),
  ),
  probe(
    'unknown-model',
    'a made-up model name falls back to the default',
    speak('with a made-up model', spoken, { model: 'speech-contract-no-such-model' }),
  ),
  probe(
    'null',
    'null for a field without null is refused',
    speak(
      'with temperature null',
      { ...spoken, temperature: null },
      assumed('temperature', 'temperature is null'),
    ),
  ),
  probe(
    'third-field-of-a-reference',
    'a third field of a reference is refused',
    speak(
      'with a third field of a reference',
      { ...spoken, references: [{ ...sample, mood: 'calm' }] },
      {
        mediaType: mediaTypes.msgpack,
        ...assumed('references.mood', 'a reference has audio and text alone'),
      },
    ),
  ),
  probe(
    'reference-in-json',
    'a reference as base64 in JSON is accepted',
    speak('with a reference in JSON', { ...spoken, references: [sample] }),
  ),
  probe(
    'unknown-query',
    'an unknown query parameter is refused',
    call(
      'getApiCredit',
      'with check_free_credit',
      { path: { user_id: 'self' }, query: { check_free_credit: true } },
      assumed('check_free_credit', 'no operation names this parameter'),
    ),
  ),
  probe(
    'page-size',
    'a page size above 100 is accepted',
    call('listModels', 'a page of 101', { query: { page_size: 101 } }),
  ),
  change('visibility', 'an update changes the visibility', 'another visibility', { visibility: 'unlist' }),
  change('tag-as-string', 'tags may be one string, and replace the old ones', 'tags as one string', {
    tags: 'changed',
  }),
  change(
    'nulls',
    'an update with null changes nothing',
    'nulls',
    { title: null, description: null, tags: null },
    false,
  ),
  change('empty-update', 'an update without a field is accepted', 'an update without a field', {}, false),
  writing('settle-full', 0, 'a voice model may be made with train_mode full', [
    createVoice('settle full', 'with train_mode full', `${runMark} full`, { fields: { train_mode: 'full' } }),
    voiceStep('settle full', 'delete', 'deleteModel', 'with train_mode full'),
  ]),
];
