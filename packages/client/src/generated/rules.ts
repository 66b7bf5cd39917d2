/*
 * Generated, do not edit: change the specification and run `npm run generate`.
 * From:
 *   @speech-api/spec/openapi.json  sha256 38c5366921926646
 *   @speech-api/spec/rules.json#synthesis  sha256 c43c863360e3b489
 */

/** A rule between the fields of a synthesis request, which no schema can express. */
export interface Rule {
  readonly id: string;
  /** The field to blame, such as `sample_rate` or `model`. */
  readonly field: string;
  /** The operations it is for; all of them if absent. */
  readonly applies_to?: readonly string[];
  /** What is wrong and what would work; undefined if the request keeps the rule. */
  readonly check: (request: Fields, model: string) => string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The rules between fields that a client enforces, in order: the first one that is broken refuses the request. */
export const rules: readonly Rule[] = [
  {
    id: 'sample-rate-of-wav-and-pcm',
    field: 'sample_rate',
    check: (request, model) => {
      if (
        isOneOf(request.format ?? 'mp3', ['wav', 'pcm']) &&
        request.sample_rate != null &&
        !isOneOf(request.sample_rate, [8000, 16000, 24000, 32000, 44100])
      )
        return (
          'sample_rate ' +
          JSON.stringify(request.sample_rate) +
          ' is not available for wav and pcm; use 8000, 16000, 24000, 32000 or 44100, or omit it for 44100'
        );
      return undefined;
    },
  },
  {
    id: 'sample-rate-of-mp3',
    field: 'sample_rate',
    check: (request, model) => {
      if (
        isOneOf(request.format ?? 'mp3', ['mp3']) &&
        request.sample_rate != null &&
        !isOneOf(request.sample_rate, [32000, 44100])
      )
        return (
          'sample_rate ' +
          JSON.stringify(request.sample_rate) +
          ' is not available for mp3; use 32000 or 44100, or omit it for 44100'
        );
      return undefined;
    },
  },
  {
    id: 'sample-rate-of-opus',
    field: 'sample_rate',
    check: (request, model) => {
      if (
        isOneOf(request.format ?? 'mp3', ['opus']) &&
        request.sample_rate != null &&
        !isOneOf(request.sample_rate, [48000])
      )
        return (
          'sample_rate ' +
          JSON.stringify(request.sample_rate) +
          ' is not available for opus; use 48000, or omit it'
        );
      return undefined;
    },
  },
  {
    id: 'dialogue-not-on-s1',
    field: 'model',
    check: (request, model) => {
      if (Array.isArray(request.reference_id) && isOneOf(model, ['s1']))
        return 'the model ' + model + ' cannot speak a dialogue (reference_id as an array); use s2-pro';
      return undefined;
    },
  },
  {
    id: 'speaker-tags-in-range',
    field: 'text',
    check: (request, model) => {
      if (
        Array.isArray(request.reference_id) &&
        request.text != null &&
        !(highestSpeaker(request.text) < lengthOf(request.reference_id))
      )
        return 'text has a tag <|speaker:N|> without a speaker; N counts from 0 and must be below the number of entries in reference_id';
      return undefined;
    },
  },
  {
    id: 'one-reference-list-a-speaker',
    field: 'references',
    check: (request, model) => {
      if (
        isArrayOfArrays(request.references) &&
        request.references != null &&
        !(lengthOf(request.references) === lengthOf(request.reference_id))
      )
        return 'references and reference_id have different lengths; a zero-shot dialogue needs one inner array of references per entry of reference_id';
      return undefined;
    },
  },
];

function isOneOf(value: unknown, values: readonly unknown[]): boolean {
  return values.includes(value);
}

function isArrayOfArrays(value: unknown): boolean {
  return Array.isArray(value) && value.every(Array.isArray);
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** The largest N of the tags `<|speaker:N|>`, or -1 if there is none. */
function highestSpeaker(text: unknown): number {
  let highest = -1;
  for (const [, digits] of String(text).matchAll(/<\|speaker:(\d+)\|>/g))
    highest = Math.max(highest, Number(digits));
  return highest;
}
