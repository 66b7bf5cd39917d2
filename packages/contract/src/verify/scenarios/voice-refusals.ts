import { limits } from '@speech-api/types';
import type { Call, Scenario } from '../step.ts';
import { refused } from './making.ts';
import { callModels, makeAndDelete, recording, runMark, settings } from './voice-steps.ts';

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
