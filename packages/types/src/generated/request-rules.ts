/*
 * Generated, do not edit: change the specification and run `npm run generate`.
 * From:
 *   @speech-api/spec/openapi.json  sha256 4520a8e07be84020
 *   @speech-api/spec/rules.json#synthesis  sha256 c43c863360e3b489
 */

/** A rule between the fields of a synthesis request, which no schema can express. */
export interface RequestRule {
  readonly id: string;
  /** The field to blame, such as `sample_rate` or `model`. */
  readonly field: string;
  /** The operations that the rule applies to; without it, all of them. */
  readonly applies_to?: readonly string[];
  /** A lenient server with this tolerance skips the rule. */
  readonly tolerated_by?: string;
  /** The entry of `refusals` whose answer the server gives; without it, `rule`. */
  readonly refusal?: string;
  /** What is wrong and what would work; undefined if the request keeps the rule. */
  readonly check: (request: Fields, model: string) => string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const sampleRateOfWavAndPcm: RequestRule = {
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
};

const sampleRateOfMp3: RequestRule = {
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
};

const sampleRateOfOpus: RequestRule = {
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
};

const dialogueNotOnS1: RequestRule = {
  id: 'dialogue-not-on-s1',
  field: 'model',
  check: (request, model) => {
    if (Array.isArray(request.reference_id) && isOneOf(model, ['s1']))
      return 'the model ' + model + ' cannot speak a dialogue (reference_id as an array); use s2-pro';
    return undefined;
  },
};

const dialogueOnlyOnS2Pro: RequestRule = {
  id: 'dialogue-only-on-s2-pro',
  field: 'model',
  tolerated_by: 'dialogue-on-later-models',
  check: (request, model) => {
    if (Array.isArray(request.reference_id) && !isOneOf(model, ['s1']) && !isOneOf(model, ['s2-pro']))
      return 'the model ' + model + ' cannot speak a dialogue (reference_id as an array); use s2-pro';
    return undefined;
  },
};

const speakerTagsInRange: RequestRule = {
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
};

const oneReferenceListASpeaker: RequestRule = {
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
};

const textNotEmpty: RequestRule = {
  id: 'text-not-empty',
  field: 'text',
  applies_to: ['createSpeech', 'streamSpeechWithTimestamps'],
  check: (request, model) => {
    if (request.text != null && isOneOf(request.text, ['']))
      return 'text is empty; write at least one character';
    return undefined;
  },
};

const textLength: RequestRule = {
  id: 'text-length',
  field: 'text',
  refusal: 'text-too-long',
  check: (request, model) => {
    if (request.text != null && !hasAtMostCodePoints(request.text, 100000))
      return 'text is longer than 100000 characters (Unicode code points); split it into several requests';
    return undefined;
  },
};

/** The rules that a client enforces, in order: the first one that is broken refuses the request. */
export const clientRules: readonly RequestRule[] = [
  sampleRateOfWavAndPcm,
  sampleRateOfMp3,
  sampleRateOfOpus,
  dialogueNotOnS1,
  speakerTagsInRange,
  oneReferenceListASpeaker,
];

/** The rules that a server enforces, in order: the first one that is broken refuses the request. */
export const serverRules: readonly RequestRule[] = [
  sampleRateOfWavAndPcm,
  sampleRateOfMp3,
  sampleRateOfOpus,
  dialogueNotOnS1,
  dialogueOnlyOnS2Pro,
  speakerTagsInRange,
  oneReferenceListASpeaker,
  textNotEmpty,
  textLength,
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

function hasAtMostCodePoints(value: unknown, maximum: number): boolean {
  const text = String(value);
  // A text never has more code points than UTF-16 units, so most texts need no counting.
  if (text.length <= maximum) return true;
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > maximum) return false;
  }
  return true;
}
