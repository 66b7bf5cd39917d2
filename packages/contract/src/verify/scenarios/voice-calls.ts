import { limits, type OperationId } from '@speech-api/types';
import { asObject } from '../../specification/document.ts';
import type { Call, Scenario } from '../step.ts';
import { call, greeting, jsonOf, quick, refused, rememberText, scenario, speak, writing } from './making.ts';
import { firstOf, itemsOf, makeAndDelete, needs, path, recording, runMark, settings } from './voice-lives.ts';

const nowhere = { path: { id: 'speech-contract-no-such-voice' } };

/** Calls for voice models that exist, and for one that does not. */
export const voiceReads: readonly Scenario[] = [
  quick('voice-read-and-used', 'a listed voice model is read and speaks', [
    call(
      'listModels',
      'one voice',
      { query: { page_size: 1 } },
      rememberText('voice', (answered) => firstOf(answered)._id),
    ),
    call('getModel', 'one of the list', path, { needs }),
    speak('with a saved voice', (memory) => ({ text: greeting, reference_id: memory.get('voice') }), {
      needs,
    }),
  ]),
  scenario('voice-dialogue', 'two saved voices speak in turn', [
    call(
      'listModels',
      'two voices',
      { query: { page_size: 2 } },
      {
        remember: (exchange, memory) => {
          const ids = itemsOf(asObject(jsonOf(exchange))).map(({ _id }) => _id);
          // If there is only one voice, it speaks both parts.
          const [first, second = first] = ids.filter((id) => typeof id === 'string');
          if (first !== undefined) memory.set('voice 0', first);
          if (second !== undefined) memory.set('voice 1', second);
        },
      },
    ),
    speak(
      'a dialogue of two',
      (memory) => ({
        text: '<|speaker:0|>Good morning.<|speaker:1|>And to you.',
        reference_id: [memory.get('voice 0'), memory.get('voice 1')],
      }),
      { needs: ['voice 0', 'voice 1'] },
    ),
  ]),
  writing(
    'voice-unknown',
    'what does not exist is neither read, changed nor deleted',
    (['getModel', 'updateModel', 'deleteModel'] as const).map((operationId) =>
      call(
        operationId,
        'one that does not exist',
        { ...nowhere, ...(operationId === 'updateModel' && { fields: { title: 'Nobody' } }) },
        { expectation: refused('there is no voice model with this id', 'not-found') },
      ),
    ),
  ),
];

const plainText: Call = { mediaType: 'text/plain', bytes: new TextEncoder().encode('title: Harbour') };

/** A valid creation except for these fields; `undefined` removes one. */
const creation = (title: string, fields: object): Call => ({
  fields: { ...settings(`${runMark} ${title}`), voices: [recording], ...fields },
});

/** Requests with one fault that create or change a voice model. */
const wrongModels: readonly (readonly [
  what: string,
  operationId: OperationId,
  call: Call,
  refusal: string,
])[] = [
  ['an unknown visibility', 'updateModel', { fields: { visibility: 'unlisted' } }, 'schema'],
  ['an unknown change', 'updateModel', { fields: { titel: 'Harbour' } }, 'schema'],
  ['a change as plain text', 'updateModel', plainText, 'media-type'],
  ['plain text', 'createModel', plainText, 'media-type'],
  [
    'too many recordings',
    'createModel',
    creation('too many', { voices: Array(limits.createModelVoices + 1).fill(recording) }),
    'schema',
  ],
  ['no recording', 'createModel', creation('no recording', { voices: undefined }), 'schema'],
  ['an unknown train mode', 'createModel', creation('train mode', { train_mode: 'slow' }), 'schema'],
];

/** Creations and changes of voice models that must be refused. */
export const voiceRefusals: readonly Scenario[] = [
  ...wrongModels.map(([what, operationId, wrong, refusal]) => {
    const because = `it has ${what}`;
    const step =
      operationId === 'createModel'
        ? call(operationId, `with ${what}`, wrong, {
            expectation: refused(because, refusal),
            cost: makeAndDelete,
          })
        : call(
            operationId,
            `with ${what}`,
            { ...nowhere, ...wrong },
            { expectation: refused(because, refusal, 'not-found') },
          );
    const about = `${operationId} with ${what} is refused`;
    const isQuick = what === 'a change as plain text';
    return scenario(`voice-${what.replaceAll(' ', '-')}`, about, [step], { writes: true, isQuick });
  }),
  writing('voice-without-title', 'a voice model without a title is not made', [
    call('createModel', 'without a title', creation('', { title: undefined }), {
      expectation: refused('the title is missing', 'schema'),
      cost: makeAndDelete,
    }),
  ]),
  writing('voice-public-without-cover', 'a public voice model without a cover is not made', [
    call('createModel', 'public, without a cover', creation('without cover', { visibility: 'public' }), {
      expectation: refused('it is public and has no cover_image', 'model-rule'),
      cost: makeAndDelete,
    }),
  ]),
];
