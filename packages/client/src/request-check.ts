import type {
  AudioFormat,
  Prosody,
  SynthesisRequest,
  sampleRates,
  synthesisDefaults,
} from '@speech-api/types';

/**
 * Any synthesis request: one voice, a dialogue of saved voices, or a dialogue of samples (section 2.1).
 *
 * @example
 * ```ts
 * import { createSpeechClient, type SpeechRequest } from '@speech-api/client';
 *
 * const { speech } = createSpeechClient();
 * const text = '<|speaker:0|>Good morning.<|speaker:1|>Good morning to you.';
 * const dialogue: SpeechRequest = { text, reference_id: ['sandbox-alba', 'sandbox-blake'], format: 'wav' };
 * const said = await (await speech.create(dialogue, { model: 's2-pro' })).bytes();
 *
 * // Of samples in place of saved voices: one list a speaker, and any names for them.
 * const [first, second] = [{ audio: said, text: 'Good morning.' }, { audio: said, text: 'Good morning to you.' }];
 * const samples: SpeechRequest = { text, reference_id: ['a', 'b'], references: [[first], [second]] };
 * console.log((await (await speech.create(samples)).bytes()).length);
 * ```
 */
export type SpeechRequest = SynthesisRequest;

/**
 * What a request must be beside a {@link SpeechRequest} where the compiler can see its values: the field that breaks
 * a rule of the specification has the type of what it may be. Of a wide type nothing is known and nothing is asked;
 * the same rules are checked again when the call is made.
 */
export type CheckedRequest<Request, Options> = KnownFields<Request> &
  KnownRate<Request> &
  KnownModel<Request, Options>;

// A type parameter takes in fields that a plain parameter would refuse.
type KnownFields<Request> = { [Name in Exclude<NamesOf<Request>, NamesOf<SpeechRequest>>]: never } & {
  prosody?:
    | { [Name in Exclude<NamesOf<NonNullable<Field<Request, 'prosody'>>>, keyof Prosody>]: never }
    | null;
};

type KnownRate<Request> = [
  Extract<Field<Request, 'sample_rate'>, PossibleRate<Request> | null | undefined>,
] extends [never]
  ? { sample_rate: RateOfTheFormat<PossibleRate<Request>> }
  : unknown;

/** Stands in an error of the compiler, with the rates that the format has. An object, for a number would blur it. */
interface RateOfTheFormat<Rate> {
  readonly oneOf: Rate;
}

type KnownModel<Request, Options> = [Field<Options, 'model'>] extends ['s1']
  ? [Field<Request, 'reference_id'>] extends [readonly string[]]
    ? { reference_id: 'a dialogue needs the model s2-pro' }
    : unknown
  : unknown;

type PossibleRate<Request> = RateOf<Exclude<Field<Request, 'format'>, undefined> | DefaultFormat<Request>>;
type DefaultFormat<Request> =
  undefined extends Field<Request, 'format'> ? (typeof synthesisDefaults)['format'] : never;
type RateOf<Format> = Format extends AudioFormat ? (typeof sampleRates)[Format][number] : never;

// Distributed over the three shapes: a field that one of them lacks may be absent.
type Field<Shape, Name extends PropertyKey> = Shape extends unknown
  ? Name extends keyof Shape
    ? Shape[Name]
    : undefined
  : never;
type NamesOf<Shape> = Shape extends unknown ? keyof Shape : never;
