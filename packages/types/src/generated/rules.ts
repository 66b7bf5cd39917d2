/*
 * Generated, do not edit: change the specification and run `npm run generate`.
 * From:
 *   @speech-api/spec/rules.json#synthesis  sha256 c43c863360e3b489
 */

import type { SynthesisRule } from '../rule-data.ts';

/** The rules between fields of a synthesis request, which no schema can express. The first broken rule gives the message. */
export const synthesisRules: readonly SynthesisRule[] = [
  {
    id: 'sample-rate-of-wav-and-pcm',
    section: '2.3',
    field: '/sample_rate',
    when: [
      { at: '/format', in: ['wav', 'pcm'] },
      { at: '/sample_rate', is: 'present' },
    ],
    require: [{ at: '/sample_rate', in: [8000, 16000, 24000, 32000, 44100] }],
    message: 'sample_rate {value} is not available for wav and pcm; use {allowed}, or omit it for 44100',
    enforced_by: ['client', 'server'],
    effect: 'refuse',
  },
  {
    id: 'sample-rate-of-mp3',
    section: '2.3',
    field: '/sample_rate',
    when: [
      { at: '/format', in: ['mp3'] },
      { at: '/sample_rate', is: 'present' },
    ],
    require: [{ at: '/sample_rate', in: [32000, 44100] }],
    message: 'sample_rate {value} is not available for mp3; use {allowed}, or omit it for 44100',
    enforced_by: ['client', 'server'],
    effect: 'refuse',
  },
  {
    id: 'sample-rate-of-opus',
    section: '2.3',
    field: '/sample_rate',
    when: [
      { at: '/format', in: ['opus'] },
      { at: '/sample_rate', is: 'present' },
    ],
    require: [{ at: '/sample_rate', in: [48000] }],
    message: 'sample_rate {value} is not available for opus; use {allowed}, or omit it',
    enforced_by: ['client', 'server'],
    effect: 'refuse',
  },
  {
    id: 'dialogue-not-on-s1',
    section: '2.1',
    field: 'header:model',
    when: [{ at: '/reference_id', is: 'array' }],
    require: [{ at: 'header:model', not_in: ['s1'] }],
    message: 'the model {value} cannot speak a dialogue (reference_id as an array); use s2-pro',
    contradiction: 'dialogue-models',
    enforced_by: ['client', 'server'],
    effect: 'refuse',
  },
  {
    id: 'dialogue-only-on-s2-pro',
    section: '2.1',
    field: 'header:model',
    when: [
      { at: '/reference_id', is: 'array' },
      { at: 'header:model', not_in: ['s1'] },
    ],
    require: [{ at: 'header:model', in: ['s2-pro'] }],
    message: 'the model {value} cannot speak a dialogue (reference_id as an array); use {allowed}',
    contradiction: 'dialogue-models',
    enforced_by: ['server'],
    tolerated_by: 'dialogue-on-later-models',
    effect: 'refuse',
  },
  {
    id: 'speaker-tags-in-range',
    section: '2.1',
    field: '/text',
    when: [{ at: '/reference_id', is: 'array' }],
    require: [{ at: '/text', speaker_tags_below: '/reference_id' }],
    message:
      'text has a tag <|speaker:N|> without a speaker; N counts from 0 and must be below the number of entries in reference_id',
    enforced_by: ['client', 'server'],
    effect: 'refuse',
    provenance: { unknown: 'speaker-tag-range', from: 'assumed' },
  },
  {
    id: 'one-reference-list-a-speaker',
    section: '2.1',
    field: '/references',
    when: [{ at: '/references', is: 'array-of-arrays' }],
    require: [{ at: '/references', same_length_as: '/reference_id' }],
    message:
      'references and reference_id have different lengths; a zero-shot dialogue needs one inner array of references per entry of reference_id',
    enforced_by: ['client', 'server'],
    effect: 'refuse',
    provenance: { unknown: 'zero-shot-lengths', from: 'assumed' },
  },
  {
    id: 'text-not-empty',
    section: '2.1',
    field: '/text',
    applies_to: ['createSpeech', 'streamSpeechWithTimestamps'],
    when: [],
    require: [{ at: '/text', not_in: [''] }],
    message: 'text is empty; write at least one character',
    enforced_by: ['server'],
    effect: 'refuse',
    provenance: { unknown: 'empty-text', from: 'assumed' },
  },
  {
    id: 'text-length',
    section: '8',
    field: '/text',
    when: [],
    require: [{ at: '/text', code_points_at_most: 100000 }],
    message: 'text is longer than {allowed} characters (Unicode code points); split it into several requests',
    enforced_by: ['server'],
    effect: 'refuse',
    refusal: 'text-too-long',
    provenance: { unknown: 'text-length-limit', from: 'assumed' },
  },
  {
    id: 'mp3-bitrate-of-another-format',
    section: '2.1',
    field: '/mp3_bitrate',
    when: [{ at: '/mp3_bitrate', is: 'present' }],
    require: [{ at: '/format', in: ['mp3'] }],
    message: 'mp3_bitrate applies only if format is {allowed}; it is ignored',
    enforced_by: [],
    effect: 'ignore',
  },
  {
    id: 'opus-bitrate-of-another-format',
    section: '2.1',
    field: '/opus_bitrate',
    when: [{ at: '/opus_bitrate', is: 'present' }],
    require: [{ at: '/format', in: ['opus'] }],
    message: 'opus_bitrate applies only if format is {allowed}; it is ignored',
    enforced_by: [],
    effect: 'ignore',
  },
];
