/*
 * Generated, do not edit: change the specification and run `npm run generate`.
 * From:
 *   @speech-api/spec/tolerances.json  sha256 603c622704442d81
 */

import type { Tolerance } from '../rule-data.ts';

/** What a lenient server accepts beyond the specification. */
export const tolerances: readonly Tolerance[] = [
  {
    id: 'explicit-nulls',
    pointer: '/components/schemas/SynthesisRequest',
    also: ['/components/schemas/CreateModelRequest', '/components/schemas/TranscriptionRequest'],
    accepts: 'null for an optional field whose type has no null',
    normalises_to: 'the field left out',
    reason: 'Serializers of several languages write every unset field of an object as null.',
    refused_by: 'schema',
    message: '`{field}` must not be null. Leave it out for its default.',
  },
  {
    id: 'empty-references',
    pointer: '/components/schemas/SynthesisRequest',
    accepts: 'an empty array of references',
    normalises_to: 'references left out',
    reason: 'Clients keep one list of samples and send it even when the voice is a saved model.',
    refused_by: 'schema',
    message: '`references` is empty. Leave it out, or give at least one sample.',
  },
  {
    id: 'unknown-keys',
    pointer: '/components/schemas/SynthesisRequest',
    also: [
      '/components/schemas/CreateModelRequest',
      '/components/schemas/UpdateModelRequest',
      '/components/schemas/TranscriptionRequest',
      '/paths/~1model/get',
    ],
    accepts:
      'fields that the request, or a message of a live session, does not have, and query parameters that the operation does not have',
    normalises_to: 'the field left out',
    reason: 'Clients written for a newer or an older server send fields this specification does not know.',
    refused_by: 'schema',
    message: 'unknown field `{field}`, did you mean `{meant}`?',
  },
  {
    id: 'missing-model-header',
    pointer: '/paths/~1v1~1tts/post',
    also: ['/paths/~1v1~1tts~1stream~1with-timestamp/post'],
    accepts: 'a synthesis request without a model header',
    normalises_to: 'the header with its default, s2-pro',
    reason:
      'The interface calls the header required and gives it a default; servers fall back to the default.',
    unknown: 'model-header-required',
    refused_by: 'schema',
    message: 'the header `model` is missing. Set it to s2-pro, or to another model.',
  },
  {
    id: 'bracketed-query-arrays',
    pointer: '/paths/~1model/get',
    accepts: 'a repeatable query parameter written with brackets, `tag[]=calm&tag[]=warm`',
    normalises_to: 'the plain name, repeated: `tag=calm&tag=warm`',
    reason: 'The default of several HTTP libraries for arrays in a query.',
    unknown: 'list-repeatable-filters',
    refused_by: 'schema',
    message: 'unknown parameter `{field}`, did you mean `{meant}`? Repeat the plain name for several values.',
  },
  {
    id: 'comma-joined-tags',
    pointer: '/components/schemas/CreateModelSettings/properties/tags',
    also: ['/components/schemas/UpdateModelRequest/properties/tags'],
    accepts: 'one string with several tags joined by commas',
    normalises_to: 'an array, the blanks around each tag cut off, empty ones left out',
    reason: 'In form bodies an array has no single spelling; a joined string is the second most common.',
    refused_by: 'schema',
    message:
      '`{field}` looks like several values joined by commas. Send an array, or repeat the form field for each.',
  },
  {
    id: 'comma-joined-texts',
    pointer: '/components/schemas/CreateModelSettings/properties/texts',
    accepts:
      'one string with the transcripts of several voices joined by commas, where it falls into exactly as many parts as there are voices',
    normalises_to: 'an array with one transcript a voice',
    reason:
      'As for tags. A transcript may hold commas itself, so the string is split only when the parts count right.',
    refused_by: 'schema',
    message:
      '`{field}` looks like several values joined by commas. Send an array, or repeat the form field for each.',
  },
  {
    id: 'cover-image-file',
    pointer: '/components/schemas/UpdateModelRequest/properties/cover_image',
    accepts: 'a file as cover_image when a voice model is changed',
    normalises_to: 'a data URL with the same picture',
    reason: 'A new voice model takes its cover as a file, so clients send a file to change it too.',
    refused_by: 'schema',
    message: '`{field}` must not be binary.',
  },
  {
    id: 'capitalised-booleans',
    pointer: '/components/schemas/CreateModelRequest',
    also: ['/components/schemas/TranscriptionRequest'],
    accepts: '`True` and `False` as text where a boolean is meant',
    normalises_to: 'the boolean',
    reason: 'A form holds only text, and clients in Python write their own words for the two values.',
    refused_by: 'schema',
    message: '`{field}` must be a boolean, not a string.',
  },
  {
    id: 'opus-bitrate-in-kbps',
    pointer: '/components/schemas/SynthesisSettings/properties/opus_bitrate',
    accepts: 'opus_bitrate as 24, 32, 48 or 64',
    normalises_to: 'the same rate in bits per second',
    reason:
      'Descriptions of the interface give the rates in kbps as well, and a public client sends 32 in every request.',
    unknown: 'opus-bitrate-unit',
    refused_by: 'schema',
    message: '`opus_bitrate` is in bits per second: {meant} instead of {value}.',
  },
  {
    id: 'unknown-voices',
    pointer: '/components/schemas/SynthesisRequest',
    accepts: 'a reference_id that is not the id of a voice model',
    normalises_to: 'itself; the sandbox chooses a voice by the id',
    reason: 'Voice agents and the examples of public clients name voices of the real service.',
    refused_by: 'unknown-voice',
    message: '`reference_id` {value} is not a voice model that this key may use. GET /model lists them.',
  },
  {
    id: 'dialogue-on-later-models',
    pointer: '/paths/~1v1~1tts/post',
    also: ['/paths/~1v1~1tts~1stream~1with-timestamp/post'],
    accepts: 'a dialogue with a model other than s2-pro and s1: s2.1-pro, s2.1-pro-free and unknown ones',
    normalises_to: 'itself; the rule is skipped',
    reason: 'Public sources let dialogue run on the whole S2 family.',
    unknown: 'dialogue-models',
    refused_by: 'rule',
    rule: 'dialogue-only-on-s2-pro',
    message: 'the model {value} cannot speak a dialogue (reference_id as an array); use s2-pro',
  },
];
