import { limits } from '@speech-api/types';
import type { Call, Scenario } from '../step.ts';
import { greeting, refused, scenario, speak } from './making.ts';
import {
  callModels,
  itemsOf,
  makeAndDelete,
  needs,
  path,
  recording,
  runMark,
  settings,
} from './voice-lives.ts';

/** Voice models that are there, and one that is not. */
export const voiceReads: readonly Scenario[] = [
  scenario('voice-read-and-used', 7, 'a listed voice model is read and speaks', [
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
  ]),
  scenario('voice-dialogue', 42, 'two saved voices speak in turn', [
    callModels('listModels', 'two voices', () => ({ query: [['page_size', '2']] }), {
      remember: (exchange, memory) => {
        const ids = itemsOf(exchange).map(({ _id }) => _id);
        // If there is only one voice, it speaks with itself.
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
  ]),
  scenario(
    'voice-unknown',
    46,
    'what does not exist is neither read, changed nor deleted',
    (['getModel', 'updateModel', 'deleteModel'] as const).map((operationId) =>
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
    { writes: true },
  ),
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
  [
    'too many recordings',
    'createModel',
    {
      fields: {
        ...settings(`${runMark} too many`),
        voices: Array(limits.createModelVoices + 1).fill(recording),
      },
    },
    'schema',
  ],
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

/** Voice models that are not made, and changes that are not taken. */
export const voiceRefusals: readonly Scenario[] = [
  ...wrongModels.map(
    ([what, operationId, wrong, refusal]): Scenario =>
      scenario(
        `voice-${what.replaceAll(' ', '-')}`,
        54.5,
        `${operationId} with ${what} is refused`,
        [
          callModels(
            operationId,
            `with ${what}`,
            () =>
              operationId === 'createModel'
                ? wrong
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
        { writes: true },
      ),
  ),
  scenario(
    'voice-without-title',
    44,
    'a voice model without a title is not made',
    [
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
    { writes: true },
  ),
  scenario(
    'voice-public-without-cover',
    54,
    'a public voice model without a cover is not made',
    [
      callModels(
        'createModel',
        'public, without a cover',
        () => ({
          fields: { ...settings(`${runMark} without cover`), visibility: 'public', voices: [recording] },
        }),
        { expectation: refused('it is public and has no cover_image', 'model-rule'), cost: makeAndDelete },
      ),
    ],
    { writes: true },
  ),
];
