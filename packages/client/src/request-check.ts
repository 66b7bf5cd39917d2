import type {
  AudioFormat,
  BinaryInput,
  Prosody,
  ReferenceAudio,
  SynthesisSettings,
  sampleRates,
  synthesisDefaults,
} from '@speech-api/types';

/**
 * Any synthesis request: one voice, a dialogue of saved voices, or a dialogue of samples.
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
 * // With samples instead of saved voices: one list per speaker, and any names for them.
 * const [first, second] = [{ audio: said, text: 'Good morning.' }, { audio: said, text: 'Good morning to you.' }];
 * const samples: SpeechRequest = { text, reference_id: ['a', 'b'], references: [[first], [second]] };
 * console.log((await (await speech.create(samples)).bytes()).length);
 * ```
 */
export type SpeechRequest = OneVoiceRequest | DialogueRequest | SampledDialogueRequest;

/** One voice: a saved one, samples of it, or the service's own. */
export interface OneVoiceRequest extends SynthesisSettings {
  /** The id of a saved voice. */
  readonly reference_id?: string;
  /** Samples of the voice. */
  readonly references?: readonly ReferenceAudio[];
}

/** Several saved voices in turn; `<|speaker:0|>` and so on in the text name them by their place. */
export interface DialogueRequest extends SynthesisSettings {
  /** The ids of the saved voices. */
  readonly reference_id: readonly string[];
  readonly references?: never;
}

/** Several voices in turn, each given by samples. */
export interface SampledDialogueRequest extends SynthesisSettings {
  /** A name for each voice; any text is fine. */
  readonly reference_id: readonly string[];
  /** One list of samples for each voice. */
  readonly references: readonly (readonly ReferenceAudio[])[];
}

/**
 * True if a request is a dialogue: `reference_id` is a list. Narrows the type to the fields of that kind,
 * which a check of `reference_id` alone does not do. A dialogue without `references` has saved voices.
 *
 * @example
 * ```ts
 * import { isDialogue, type SpeechRequest } from '@speech-api/client';
 *
 * export function voicesOf(request: SpeechRequest): number {
 *   if (!isDialogue(request)) return request.references?.length ?? 1;
 *   return request.references === undefined ? request.reference_id.length : request.references.length;
 * }
 * ```
 */
export function isDialogue<Request extends SpeechRequest>(
  request: Request,
): request is Extract<Request, DialogueRequest | SampledDialogueRequest> {
  return Array.isArray(request.reference_id);
}

/** The minimum shape of every request; {@link CheckedRequest} adds the rest. */
export interface AnyRequest extends SynthesisSettings {
  readonly reference_id?: string | readonly string[];
  readonly references?: readonly (AnySample | readonly AnySample[])[];
}

/** A sample, or a path in its place, of which {@link NoPath} says more than a plain type would. */
type AnySample = Omit<ReferenceAudio, 'audio'> & { readonly audio: BinaryInput | string };

/**
 * Names that other services use, and what they are called here. Sent, such a field may be left out of what is spoken and
 * billed, so both the compiler and the client refuse it.
 */
export const foreignFields = {
  input: 'text',
  voice: 'reference_id',
  voice_id: 'reference_id',
  response_format: 'format',
  speed: 'prosody.speed',
  model: 'the option model, in the second argument',
} as const satisfies Readonly<Record<string, string>> & { readonly [Name in keyof AnyRequest]?: never };

/** Fields that an editor offers while a request is being written: of the rates, those of its format. */
export type OfferedRequest = Omit<AnyRequest, 'format' | 'sample_rate'> &
  (
    | { [Format in AudioFormat]: Rated<Format> & { readonly format: Format } }[AudioFormat]
    | Rated<(typeof synthesisDefaults)['format']>
  );

interface Rated<Format extends AudioFormat> {
  readonly format?: Format;
  readonly sample_rate?: RateOf<Format> | null;
}

/**
 * Constraints on a request in addition to {@link AnyRequest}, where the compiler can see its values: a field
 * that breaks a rule of the specification has the type of its allowed values. A wide type is not constrained;
 * the same rules are checked again when the call is made.
 */
export type CheckedRequest<Request, Options> = null extends string
  ? unknown // Without `strict` the compiler does not see which values may be absent.
  : KnownFields<Request> & KnownVoices<Request> & KnownRate<Request> & KnownModel<Request, Options>;

/** An `AbortController` has a `signal`, as the options of a call do; its other members identify it. */
export type CheckedOptions<Options> = Options extends { abort: (reason?: never) => void }
  ? { abort: Needed<'an object of options: { signal: controller.signal }'> }
  : unknown;

/** The type that audio must have instead of a path; nothing for bytes, lists of them and samples. */
export type NoPath<Audio> = [PathIn<Audio>] extends [never]
  ? unknown
  : Needed<'a file: await openAudioFile(path) of @speech-api/client/node'>;

type PathIn<Audio> = Audio extends string
  ? Audio
  : Audio extends readonly (infer One)[]
    ? PathIn<One>
    : Audio extends { readonly audio: infer Sample }
      ? PathIn<Sample>
      : never;

type KnownVoices<Request> = [Request] extends [SpeechRequest]
  ? unknown
  : AnyRequest extends Request
    ? unknown
    : [PathIn<Field<Request, 'references'>>] extends [never]
      ? [Field<Request, 'references'>, Field<Request, 'reference_id'>] extends [
          readonly (readonly unknown[])[],
          string | undefined,
        ]
        ? { reference_id: Needed<'a name for each voice that has a list of samples'> }
        : { references: Needed<'one list of samples for each voice'> }
      : { references: NoPath<Field<Request, 'references'>> };

/** Is in an error of the compiler. */
interface Needed<What> {
  readonly needed: What;
}

// A type parameter takes in fields that a plain parameter would refuse.
type KnownFields<Request> = UnknownFields<NamesOf<Request>, NamesOf<SpeechRequest>> &
  (UnknownFields<NamesOf<NonNullable<Field<Request, 'prosody'>>>, keyof Prosody> extends infer Prosody
    ? unknown extends Prosody
      ? unknown
      : { prosody?: Prosody | null }
    : never);

/** Each unknown name has a type that no value has, and that says what may have been meant. */
type UnknownFields<Given, Known> = [Exclude<Given, Known>] extends [never]
  ? unknown
  : { [Name in Exclude<Given, Known> & string]: UnknownField<Hint<Name, Known & string>> };

type Hint<Name extends string, Known extends string> = Name extends keyof typeof foreignFields
  ? `use ${(typeof foreignFields)[Name]}`
  : [Meant<Name, Known>] extends [never]
    ? 'there is no such field'
    : `did you mean ${Meant<Name, Known>}?`;

/** Is in an error of the compiler. */
interface UnknownField<Hint> {
  readonly unknownField: Hint;
}

/** The known names that begin with the same three letters, or begin and end with the same one. */
type Meant<Name extends string, Known extends string> = Known extends unknown
  ? Beginning<Name> extends Beginning<Known>
    ? Known
    : Ends<Name> extends Ends<Known>
      ? Known
      : never
  : never;
type Beginning<Name extends string> = Name extends `${infer First}${infer Second}${infer Third}${string}`
  ? `${First}${Second}${Third}`
  : Name;
type Ends<Name extends string> = Name extends `${infer First}${string}` ? `${First}-${Last<Name>}` : Name;
type Last<Name extends string> = Name extends `${string}${infer Rest}`
  ? Rest extends ''
    ? Name
    : Last<Rest>
  : Name;

type KnownRate<Request> = [
  Extract<Field<Request, 'sample_rate'>, RateOf<PossibleFormat<Request>> | null | undefined>,
] extends [never]
  ? { sample_rate: Needed<RatesInWords<PossibleFormat<Request>>> }
  : unknown;

type KnownModel<Request, Options> = [Field<Options, 'model'>] extends ['s1']
  ? [Field<Request, 'reference_id'>] extends [readonly string[]]
    ? { reference_id: 'a dialogue needs the model s2-pro' }
    : unknown
  : unknown;

type PossibleFormat<Request> = Exclude<Field<Request, 'format'>, undefined> | DefaultFormat<Request>;
type DefaultFormat<Request> =
  undefined extends Field<Request, 'format'> ? (typeof synthesisDefaults)['format'] : never;
type RateOf<Format> = Format extends AudioFormat ? (typeof sampleRates)[Format][number] : never;
type RatesInWords<Format> = Format extends AudioFormat
  ? `a rate of ${Format}: ${Words<(typeof sampleRates)[Format]>}`
  : never;
type Words<List> = List extends readonly [infer First extends number, ...infer Rest]
  ? Rest extends readonly []
    ? `${First}`
    : `${First}, ${Words<Rest>}`
  : never;

// Distributed over the three shapes: a field that one of them lacks may be absent.
type Field<Shape, Name extends PropertyKey> = Shape extends unknown
  ? Name extends keyof Shape
    ? Shape[Name]
    : undefined
  : never;
type NamesOf<Shape> = Shape extends unknown ? keyof Shape : never;
