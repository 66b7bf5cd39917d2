/*
 * Generated, do not edit: change the specification and run `npm run generate`.
 * From:
 *   @speech-api/spec/rules.json  sha256 37b109acc15f304d
 */

import type { ClientRule } from '../rule-data.ts';

/** The rules of `synthesisRules` that a client enforces before it sends anything, and no more of them than that takes. */
export const clientRules: readonly ClientRule[] = [
  {
    id: 'sample-rate-of-wav-and-pcm',
    field: '/sample_rate',
    when: [
      { at: '/format', in: ['wav', 'pcm'] },
      { at: '/sample_rate', is: 'present' },
    ],
    require: [{ at: '/sample_rate', in: [8000, 16000, 24000, 32000, 44100] }],
    message:
      'sample_rate {value} is not a rate of wav and pcm. Use one of {allowed}, or leave it out for 44100.',
  },
  {
    id: 'sample-rate-of-mp3',
    field: '/sample_rate',
    when: [
      { at: '/format', in: ['mp3'] },
      { at: '/sample_rate', is: 'present' },
    ],
    require: [{ at: '/sample_rate', in: [32000, 44100] }],
    message: 'sample_rate {value} is not a rate of mp3. Use one of {allowed}, or leave it out for 44100.',
  },
  {
    id: 'sample-rate-of-opus',
    field: '/sample_rate',
    when: [
      { at: '/format', in: ['opus'] },
      { at: '/sample_rate', is: 'present' },
    ],
    require: [{ at: '/sample_rate', in: [48000] }],
    message: 'sample_rate {value} is not a rate of opus. Use {allowed}, or leave it out.',
  },
  {
    id: 'dialogue-not-on-s1',
    field: 'header:model',
    when: [{ at: '/reference_id', is: 'array' }],
    require: [{ at: 'header:model', not_in: ['s1'] }],
    message:
      'the model {value} speaks with one voice. For a dialogue (reference_id as an array) set the model to s2-pro.',
  },
  {
    id: 'speaker-tags-in-range',
    field: '/text',
    when: [{ at: '/reference_id', is: 'array' }],
    require: [{ at: '/text', speaker_tags_below: '/reference_id' }],
    message:
      'text has a tag <|speaker:N|> beyond the last speaker. The tags count from 0 and stay below the number of entries in reference_id.',
  },
  {
    id: 'one-reference-list-a-speaker',
    field: '/references',
    when: [{ at: '/references', is: 'array-of-arrays' }],
    require: [{ at: '/references', same_length_as: '/reference_id' }],
    message:
      'references and reference_id differ in length. A zero-shot dialogue has one inner array of references for each entry of reference_id.',
  },
];
