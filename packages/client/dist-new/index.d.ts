/// <reference lib="esnext.disposable" />
import { SynthesisModel, paths, SynthesisSettings, ReferenceAudio, BinaryInput, Prosody, AudioFormat, sampleRates, synthesisDefaults, VoiceModelList, VoiceModel, ListModelsQuery, CreateModelRequest, UpdateModelRequest, TranscriptionRequest, Transcription, ApiCredit, Package } from '@speech-api/types';
import { Client } from 'openapi-fetch';
import { S as SpeechError } from './service-errors-CGPEU_cx.js';
export { a as AbortError, A as ApiError, b as AuthenticationError, B as BadRequestError, C as ConfigurationError, c as ConnectionError, E as ErrorGuard, I as InsufficientCreditError, d as InvalidRequestError, N as NotFoundError, P as PayloadTooLargeError, e as PermissionDeniedError, f as ProtocolError, R as RequestError, g as ServerError, T as TimeoutError, h as TimeoutPhase, i as TooManyRequestsError, j as TrainingError, U as UnsupportedMediaTypeError } from './service-errors-CGPEU_cx.js';
import { T as TraceSource, C as CallSpan } from './trace-DXOxitcC.js';
export { a as Trace, b as TracedCall, c as createTrace } from './trace-DXOxitcC.js';
import { mediaTypes } from '@speech-api/types/constants';
import { SpeechEvent, Timeline, CollectedSpeech } from '@speech-api/streaming';
export { A as AudioStream, R as ReadAudioOptions, r as readAudio } from './read-audio-BiypwEWk.js';

/** Media type in which a body can be encoded. */
type BodyType = (typeof mediaTypes)[Exclude<keyof typeof mediaTypes, 'eventStream'>];

/** `fetch`, or anything that does the same: an instrumented one, one with a proxy agent, a test double. */
type Fetch = (input: Request | string, init?: RequestInit) => Promise<Response>;
/** Gives the API key for the next request. */
type ApiKeySource = () => string | Promise<string>;
/** Options with every one filled in. */
type Complete<Options> = {
	readonly [Name in keyof Options]-?: NonNullable<Options[Name]>;
};
/** Deadlines in milliseconds, `Infinity` for none. Each closes the connection and throws a `TimeoutError`. */
interface Timeouts {
	/** From the call until it has a place among those that may run at once. @defaultValue 300000 */
	readonly queue?: number | undefined;
	/** From sending until the response headers are there, the upload included. @defaultValue 60000 */
	readonly headers?: number | undefined;
	/** From the headers until the first byte of the body. @defaultValue 30000 */
	readonly firstByte?: number | undefined;
	/** Between two pieces of the body, counted only while your code waits for the next. @defaultValue 30000 */
	readonly idle?: number | undefined;
	/** The whole call from its place in the queue on, retries included. @defaultValue `Infinity` for audio, 60000 for JSON */
	readonly total?: number | undefined;
}
/**
 * When a failed call is tried again: after 408, 429, 5xx, or a connection that failed before the answer
 * began. A call is never retried after a successful response has started. A call other than GET is also not
 * retried after an error whose body was cut.
 * Waits are exponential with full jitter; `retry-after` is obeyed within `maximumDelay`.
 */
interface RetryOptions {
	/** Number of retries after the first try; 0 disables retries. @defaultValue 2 */
	readonly retries?: number | undefined;
	/**
	 * The methods that may be sent again, in any case. A POST that is sent twice may be billed twice: add it only where
	 * that is fine; its body is kept in memory until the answer begins. @defaultValue `['GET']`
	 */
	readonly methods?: readonly string[] | undefined;
	/** The first wait is between 0 and this; it doubles with each retry. Milliseconds. @defaultValue 500 */
	readonly minimumDelay?: number | undefined;
	/** No wait is longer than this; a longer `retry-after` gives the error at once. Milliseconds. @defaultValue 10000 */
	readonly maximumDelay?: number | undefined;
}
/**
 * Everything that `createSpeechClient` takes.
 *
 * @example
 * ```ts
 * import { createSpeechClient, TimeoutError } from '@speech-api/client';
 *
 * const client = createSpeechClient({
 *   concurrency: 5,
 *   timeouts: { headers: 20_000, idle: 10_000 },
 *   // Twice is fine here: a POST may be sent again too.
 *   retry: { retries: 3, methods: ['GET', 'POST'], maximumDelay: 5000 },
 * });
 * const signal = AbortSignal.timeout(30_000);
 * try {
 *   const audio = await client.speech.create({ text: 'In good time.' }, { signal, timeouts: { firstByte: 8000 } });
 *   console.log((await audio.blob({ maximumBytes: 10_000_000 })).type);
 * } catch (error) {
 *   if (!TimeoutError.isInstance(error)) throw error;
 *   console.log(`too slow: ${error.phase}`);
 * }
 * ```
 */
interface SpeechClientOptions {
	/**
	 * The API key. In Node it defaults to the variable `SPEECH_API_KEY`. A function is asked before each request, for keys
	 * that rotate and tokens of your own server. `null` sends none, for a server of your own that adds it.
	 */
	readonly apiKey?: string | ApiKeySource | null | undefined;
	/**
	 * Address of the HTTP API, such as `https://api.example.com`. In Node it defaults to `SPEECH_BASE_URL`. In a browser it
	 * may be relative, such as `/speech`.
	 */
	readonly baseUrl?: string | URL | undefined;
	/**
	 * Address of the WebSocket API, for `@speech-api/live`. It defaults to `baseUrl` with the scheme `ws` or `wss`; where
	 * `baseUrl` comes from the environment, to `SPEECH_WEBSOCKET_URL` if that is set.
	 */
	readonly webSocketUrl?: string | URL | undefined;
	/** The model of calls that name none. @defaultValue `s2-pro` */
	readonly model?: SynthesisModel | undefined;
	/**
	 * Used instead of the global `fetch`, for a proxy, an agent or a certificate of your own. It gets what `fetch` gets,
	 * `redirect: 'manual'` and a `signal` included, and must not follow redirects by itself.
	 *
	 * @example
	 * ```ts
	 * import { createSpeechClient, type Fetch } from '@speech-api/client';
	 *
	 * // With undici: `import { EnvHttpProxyAgent } from 'undici'; const dispatcher = new EnvHttpProxyAgent();`
	 * const dispatcher = {};
	 * const throughProxy: Fetch = (input, init) => fetch(input, { ...init, dispatcher } as RequestInit);
	 * const client = createSpeechClient({ fetch: throughProxy });
	 * console.log(client.settings.baseUrl);
	 * ```
	 */
	readonly fetch?: Fetch | undefined;
	/** Headers of every request; a call's own win. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Deadlines of every call; a call's own win. */
	readonly timeouts?: Timeouts | undefined;
	/** When a failed call is tried again. */
	readonly retry?: RetryOptions | undefined;
	/**
	 * Maximum number of calls at once; further ones wait their turn, first come, first served. A call counts
	 * until its body is read or cancelled. The client stays below the maximum when the service announces a
	 * lower limit or refuses with 429, and recovers slowly. @defaultValue `Infinity`: the limit of the service
	 */
	readonly concurrency?: number | undefined;
	/**
	 * Whether to make fewer calls at once when the service names a lower limit or refuses with 429. A lowered
	 * limit is forgotten after a minute without a refusal. @defaultValue true
	 */
	readonly adaptConcurrency?: boolean | undefined;
	/** The trace that every call joins; without one, each call starts its own. `false` sends no `traceparent`. */
	readonly trace?: TraceSource | false | undefined;
	/**
	 * Gets a line about each attempt, answer, failure and end; never a text, audio or a key. In Node the variable
	 * `SPEECH_LOG` set to `debug`, `info` or `warn` writes to the console where no logger is passed.
	 */
	readonly logger?: Logger | undefined;
	/** A key in a web page is readable by every visitor. `true` says that this is meant. @defaultValue false */
	readonly allowBrowserKey?: boolean | undefined;
}
/** The options of each call, in addition to its request. */
interface CallOptions {
	/** Ends the call, its body included, with an `AbortError`. */
	readonly signal?: AbortSignal | undefined;
	/** Deadlines of this call; what is left out comes from the client. */
	readonly timeouts?: Timeouts | undefined;
	/** Retries of this call; what is left out comes from the client. */
	readonly retry?: RetryOptions | undefined;
	/** The trace of this call, in place of the client's. */
	readonly trace?: TraceSource | false | undefined;
	/** Further request headers. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
}
/** Options of a call whose body can be encoded in several ways. */
interface BodyOptions<ContentType extends string> extends CallOptions {
	/** Encoding of the body; each carries the same fields. */
	readonly contentType?: ContentType | undefined;
}
/** The options of a synthesis call, in addition to its request. */
interface SpeechOptions extends CallOptions {
	/** The TTS model, sent as the header `model`. Any name may be given, for new ones appear. @defaultValue the client's */
	readonly model?: SynthesisModel | undefined;
}
/** Fields of a log entry about a call. Never a text to speak, a transcript, audio or a key, at any level. */
interface LogFields {
	/** The operation of the specification, such as `createSpeech`. */
	readonly operationId: string;
	/** 1 for the first try. */
	readonly attempt?: number;
	readonly status?: number;
	/** Time since the call began. */
	readonly milliseconds?: number;
	readonly traceId?: string | undefined;
	/**
	 * Headers of the request or the answer, of a fixed list: media types, lengths, `model`, trace and limits. Never the
	 * key.
	 */
	readonly headers?: Readonly<Record<string, string>>;
	/** Name of the error that ended the call, such as `TimeoutError`. */
	readonly error?: string;
}
/**
 * Receives the client's log; `console` fits. A level without a method is not logged.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 *
 * // Only what went wrong, and what is tried again.
 * const logger = { warn: console.warn, info: console.info };
 * const client = createSpeechClient({ logger });
 * console.log((await client.models.list()).total);
 * ```
 */
interface Logger {
	/** Each request and each answer, with the headers that may be shown, and the end of each call. */
	debug?(message: string, fields: LogFields): void;
	/** That a call waits to be tried again. */
	info?(message: string, fields: LogFields): void;
	/** Each failure, whether or not it is tried again. */
	warn?(message: string, fields: LogFields): void;
}

/** Settings of a client with defaults applied; `@speech-api/live` and others build on them. */
interface ClientSettings {
	/** The key; empty where a function gives it or none is sent. Not enumerable: a logged client does not show it. */
	readonly apiKey: string;
	/** Address of the HTTP API, without a slash at the end. */
	readonly baseUrl: string;
	/** Address of the WebSocket API, without a slash at the end. */
	readonly webSocketUrl: string;
	readonly model: SynthesisModel;
	readonly fetch: Fetch;
	/** Headers of every request. */
	readonly headers: Readonly<Record<string, string>>;
	readonly timeouts: Timeouts;
	readonly retry: Complete<RetryOptions>;
	readonly concurrency: number;
	readonly adaptConcurrency: boolean;
	readonly trace: TraceSource | false | undefined;
	readonly logger: Logger | undefined;
	/** True if `fetch` accepts a stream of known length as a body; false for an injected one. */
	readonly streamsUploads: boolean;
	/** The value of the header `Authorization` for the next request; undefined where no key is sent. */
	authorization(): Promise<string | undefined>;
	/** A text from outside, without the key in it. */
	redact(text: string): string;
}

/** Looks at the pieces of a body as they pass, whoever reads them. One that held the answer would keep it in memory. */
interface Inspector {
	/** Throws for a wrong piece; false means that the piece does not keep the call alive. */
	piece(piece: Uint8Array): unknown;
	/** Throws or rejects at the end of a body that is not complete. */
	end?(): unknown;
}
/** Limit on how much of a body is held in memory. */
interface HoldOptions {
	/** A longer body is an error, and its connection is closed. @defaultValue 1073741824 (1 GiB) */
	readonly maximumBytes?: number;
}

/**
 * Lets a number of calls run at a time, first come, first served. The number follows what the service says of its own
 * limit, and falls when the service refuses.
 */
declare class Queue {
	#private;
	/**
	 * @param maximum - Never more than this, whatever the service says; `Infinity` lets the service decide.
	 * @param adapts - Whether the service's answers may lower the number.
	 */
	constructor(maximum: number, adapts?: boolean, now?: () => number);
	/** The way out, when there is a place right now and nobody waits for it. */
	enterNow(): (() => void) | undefined;
	/** Resolves to the way out when there is a place; `signal` leaves the line. */
	enter(signal: AbortSignal): Promise<() => void>;
	/** An answer came: its headers may name the limit, and 429 may say that it was one call too many. */
	learn(status: number, headers: Headers): void;
}

/** The typed openapi-fetch client: every path of the specification, with the client's key, deadlines and queue. */
type SpeechHttp = Client<paths>;
/** A promise of what a call gives, and with {@link CallPromise.withResponse} of the `Response` too. */
interface CallPromise<Value> extends Promise<Value> {
	/** The result of the call with the service's `Response`, for its status and headers. */
	withResponse(): Promise<Answer<Value>>;
}
/** The result of a call. */
interface Answer<Value> {
	readonly data: Value;
	readonly response: Response;
}
/** State shared by all calls of a client. */
interface Transport {
	readonly settings: ClientSettings;
	readonly queue: Queue;
	/** Ends the calls whose answers are no longer reachable. */
	readonly forgotten: FinalizationRegistry<Call>;
}
/**
 * The life of one call, from the first look at its options to the last byte of its body: deadlines, place, trace,
 * retries and cancellation. It ends when its body is read, left or cancelled, when anything fails, and when nobody can
 * reach its answer any more; nobody has to end it.
 */
declare class Call {
	#private;
	readonly operationId: string;
	readonly transport: Transport;
	readonly options: CallOptions;
	readonly timeouts: Complete<Timeouts>;
	traceId: string | undefined;
	/** The error that ended the call early. */
	failure: SpeechError | undefined;
	/** Status of the latest answer. */
	status: number | undefined;
	/** Ends the reading of the body as soon as the call fails. */
	interrupt: ((failure: SpeechError) => void) | undefined;
	inspector: Inspector | undefined;
	/** Ends the request; `fetch` gets it. */
	readonly signal: AbortSignal;
	constructor(transport: Transport, operationId: string, given: unknown, endless: boolean | undefined);
	/** Settles with the result of `work`, or with the failure of the call even if `work` ignores its signal. */
	answer<Value>(work: Promise<Answer<Value>>): CallPromise<Value>;
	race<Value>(work: Promise<Value>): Promise<Value>;
	/** Everything is prepared: from here on what fails is the connection. */
	begin(span?: CallSpan): void;
	/**
	 * Sends the request, and again only where that is allowed. Resolves to a success whose body is read through this call,
	 * or to the service's own answer with an error that is complete.
	 */
	exchange(request: Request): Promise<Response>;
	/** Ends the call with `failure` and closes its connection. The first failure stays. */
	fail(failure: SpeechError): void;
	/** Closes the connection of an answer that is not read to its end. */
	abandon(failure?: SpeechError): void;
	/** Ends the call for an error that was met outside of it, and gives it back as one of the family. */
	end(error: unknown): SpeechError;
	/** The call is over: timers stopped, its place given to the next. Harmless when called again. */
	finish(failure?: SpeechError): void;
	/** An error for an answer that is not what the specification promises. It ends the call. */
	protocolError(message: string, details?: {
		cause?: unknown;
		body?: unknown;
	}): SpeechError;
	/** The error for what was thrown while a success was read: what ended the call, or else the service's doing. */
	readError(error: unknown): SpeechError;
	/** Fails the call when `phase` takes longer than it may, of which some time may have passed. */
	startTimer(phase: keyof Timeouts, passed?: number): () => void;
}

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
 * // With samples instead of saved voices: one list per speaker, and any names for them.
 * const [first, second] = [{ audio: said, text: 'Good morning.' }, { audio: said, text: 'Good morning to you.' }];
 * const samples: SpeechRequest = { text, reference_id: ['a', 'b'], references: [[first], [second]] };
 * console.log((await (await speech.create(samples)).bytes()).length);
 * ```
 */
type SpeechRequest = OneVoiceRequest | DialogueRequest | SampledDialogueRequest;
/** One voice: a saved one, samples of it, or the service's own. */
interface OneVoiceRequest extends SynthesisSettings {
	/** The id of a saved voice. */
	readonly reference_id?: string;
	/** Samples of the voice. */
	readonly references?: readonly ReferenceAudio[];
}
/** Several saved voices in turn; `<|speaker:0|>` and so on in the text name them by their place. */
interface DialogueRequest extends SynthesisSettings {
	/** The ids of the saved voices. */
	readonly reference_id: readonly string[];
	readonly references?: never;
}
/** Several voices in turn, each given by samples. */
interface SampledDialogueRequest extends SynthesisSettings {
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
declare function isDialogue<Request extends SpeechRequest>(request: Request): request is Extract<Request, DialogueRequest | SampledDialogueRequest>;
/** The minimum shape of every request; {@link CheckedRequest} adds the rest. */
interface AnyRequest extends SynthesisSettings {
	readonly reference_id?: string | readonly string[];
	readonly references?: readonly (AnySample | readonly AnySample[])[];
}
/** A sample, or a path in its place, of which {@link NoPath} says more than a plain type would. */
type AnySample = Omit<ReferenceAudio, 'audio'> & {
	readonly audio: BinaryInput | string;
};
/**
 * Names that other services use, and what they are called here. Sent, such a field may be left out of what is spoken and
 * billed, so both the compiler and the client refuse it.
 */
declare const foreignFields: {
	readonly input: 'text';
	readonly voice: 'reference_id';
	readonly voice_id: 'reference_id';
	readonly response_format: 'format';
	readonly speed: 'prosody.speed';
	readonly model: 'the option model, in the second argument';
};
/** Fields that an editor offers while a request is being written: of the rates, those of its format. */
type OfferedRequest = Omit<AnyRequest, 'format' | 'sample_rate'> & ({
	[Format in AudioFormat]: Rated<Format> & {
		readonly format: Format;
	};
}[AudioFormat] | Rated<(typeof synthesisDefaults)['format']>);
interface Rated<Format extends AudioFormat> {
	readonly format?: Format;
	readonly sample_rate?: RateOf<Format> | null;
}
/**
 * Constraints on a request in addition to {@link AnyRequest}, where the compiler can see its values: a field
 * that breaks a rule of the specification has the type of its allowed values. A wide type is not constrained;
 * the same rules are checked again when the call is made.
 */
type CheckedRequest<Request, Options> = null extends string ? unknown : KnownFields<Request> & KnownVoices<Request> & KnownRate<Request> & KnownModel<Request, Options>;
/** An `AbortController` has all that the options of a call have, which is a `signal`; what else it has gives it away. */
type CheckedOptions<Options> = Options extends {
	abort: (reason?: never) => void;
} ? {
	abort: Needed<'an object of options: { signal: controller.signal }'>;
} : unknown;
/** Of audio that is a path, what it must be instead; of bytes, lists of them and samples nothing. */
type NoPath<Audio> = [PathIn<Audio>] extends [never] ? unknown : Needed<'a file: await openAudioFile(path) of @speech-api/client/node'>;
type PathIn<Audio> = Audio extends string ? Audio : Audio extends readonly (infer One)[] ? PathIn<One> : Audio extends {
	readonly audio: infer Sample;
} ? PathIn<Sample> : never;
type KnownVoices<Request> = [Request] extends [SpeechRequest] ? unknown : AnyRequest extends Request ? unknown : [PathIn<Field<Request, 'references'>>] extends [never] ? [Field<Request, 'references'>, Field<Request, 'reference_id'>] extends [
	readonly (readonly unknown[])[],
	string | undefined
] ? {
	reference_id: Needed<'a name for each voice that has a list of samples'>;
} : {
	references: Needed<'one list of samples for each voice'>;
} : {
	references: NoPath<Field<Request, 'references'>>;
};
/** Is in an error of the compiler. */
interface Needed<What> {
	readonly needed: What;
}
type KnownFields<Request> = UnknownFields<NamesOf<Request>, NamesOf<SpeechRequest>> & (UnknownFields<NamesOf<NonNullable<Field<Request, 'prosody'>>>, keyof Prosody> extends infer Prosody ? unknown extends Prosody ? unknown : {
	prosody?: Prosody | null;
} : never);
/** Each unknown name has a type that no value has, and that says what may have been meant. */
type UnknownFields<Given, Known> = [Exclude<Given, Known>] extends [never] ? unknown : {
	[Name in Exclude<Given, Known> & string]: UnknownField<Hint<Name, Known & string>>;
};
type Hint<Name extends string, Known extends string> = Name extends keyof typeof foreignFields ? `use ${(typeof foreignFields)[Name]}` : [Meant<Name, Known>] extends [never] ? 'there is no such field' : `did you mean ${Meant<Name, Known>}?`;
/** Is in an error of the compiler. */
interface UnknownField<Hint> {
	readonly unknownField: Hint;
}
/** The known names that begin with the same three letters, or begin and end with the same one. */
type Meant<Name extends string, Known extends string> = Known extends unknown ? Beginning<Name> extends Beginning<Known> ? Known : Ends<Name> extends Ends<Known> ? Known : never : never;
type Beginning<Name extends string> = Name extends `${infer First}${infer Second}${infer Third}${string}` ? `${First}${Second}${Third}` : Name;
type Ends<Name extends string> = Name extends `${infer First}${string}` ? `${First}-${Last<Name>}` : Name;
type Last<Name extends string> = Name extends `${string}${infer Rest}` ? Rest extends '' ? Name : Last<Rest> : Name;
type KnownRate<Request> = [
	Extract<Field<Request, 'sample_rate'>, RateOf<PossibleFormat<Request>> | null | undefined>
] extends [never] ? {
	sample_rate: Needed<RatesInWords<PossibleFormat<Request>>>;
} : unknown;
type KnownModel<Request, Options> = [Field<Options, 'model'>] extends ['s1'] ? [Field<Request, 'reference_id'>] extends [readonly string[]] ? {
	reference_id: 'a dialogue needs the model s2-pro';
} : unknown : unknown;
type PossibleFormat<Request> = Exclude<Field<Request, 'format'>, undefined> | DefaultFormat<Request>;
type DefaultFormat<Request> = undefined extends Field<Request, 'format'> ? (typeof synthesisDefaults)['format'] : never;
type RateOf<Format> = Format extends AudioFormat ? (typeof sampleRates)[Format][number] : never;
type RatesInWords<Format> = Format extends AudioFormat ? `a rate of ${Format}: ${Words<(typeof sampleRates)[Format]>}` : never;
type Words<List> = List extends readonly [infer First extends number, ...infer Rest] ? Rest extends readonly [] ? `${First}` : `${First}, ${Words<Rest>}` : never;
type Field<Shape, Name extends PropertyKey> = Shape extends unknown ? Name extends keyof Shape ? Shape[Name] : undefined : never;
type NamesOf<Shape> = Shape extends unknown ? keyof Shape : never;

/** One page of voice models. Iterated, it gives its own items and those of every page after it. */
type ModelPage = VoiceModelList & AsyncIterable<VoiceModel>;
/** Options for waiting for a training. Times are in milliseconds. */
interface WaitOptions extends CallOptions {
	/** When to give up. @defaultValue 600000 (ten minutes) */
	readonly deadline?: number | undefined;
	/** Before the second read; each further wait is half as long again. @defaultValue 1000 */
	readonly minimumDelay?: number | undefined;
	/** No wait is longer. @defaultValue 15000 */
	readonly maximumDelay?: number | undefined;
}
/** Voice models. */
interface ModelsResource {
	/**
	 * Voice models, filtered and sorted: the first page when awaited, all of them when iterated.
	 *
	 * @example
	 * ```ts
	 * import { createSpeechClient } from '@speech-api/client';
	 *
	 * const client = createSpeechClient();
	 * const { total } = await client.models.list({ language: ['en'] });
	 * for await (const model of client.models.list({ page_size: 2 })) console.log(model._id, model.title);
	 * console.log(total);
	 * ```
	 */
	list(filters?: ListModelsQuery, options?: CallOptions): ModelList;
	/**
	 * Creates a voice model from 1 to 20 recordings. With `train_mode: 'fast'` it can be used at once.
	 *
	 * @example
	 * ```ts
	 * import { createSpeechClient } from '@speech-api/client';
	 * import { openAudioFile } from '@speech-api/client/node';
	 *
	 * const client = createSpeechClient();
	 * const model = await client.models.create({
	 *   type: 'tts',
	 *   title: 'My voice',
	 *   train_mode: 'fast',
	 *   visibility: 'private',
	 *   voices: [await openAudioFile('sample.wav')],
	 *   texts: ['What is said in the sample.'],
	 * });
	 * console.log(model._id, model.state);
	 * ```
	 */
	create<Voices extends BinaryInput | string | readonly (BinaryInput | string)[]>(request: Omit<CreateModelRequest, 'voices'> & {
		readonly voices: Voices & NoPath<Voices>;
	}, options?: BodyOptions<'multipart/form-data' | 'application/msgpack'>): CallPromise<VoiceModel>;
	/**
	 * Reads a voice model until it is `trained`, less and less often. A model of `train_mode: 'fast'` is at once.
	 *
	 * Each read has the deadlines and retries of a GET; `deadline` covers them all.
	 *
	 * @throws `TrainingError` when its training failed, `TimeoutError` of the phase `training` when the deadline
	 * passed, and what {@link ModelsResource.get} throws.
	 *
	 * @example
	 * ```ts
	 * import { createSpeechClient } from '@speech-api/client';
	 *
	 * const client = createSpeechClient();
	 * const model = await client.models.waitUntilTrained('sandbox-alba', { deadline: 60_000 });
	 * console.log(model.state);
	 * ```
	 */
	waitUntilTrained(id: string, options?: WaitOptions): Promise<VoiceModel>;
	/**
	 * One voice model.
	 *
	 * @throws `NotFoundError` without it, `PermissionDeniedError` for a private one of another account.
	 *
	 * @example
	 * ```ts
	 * import { createSpeechClient } from '@speech-api/client';
	 *
	 * const { title, state } = await createSpeechClient().models.get('sandbox-alba');
	 * console.log(title, state);
	 * ```
	 */
	get(id: string, options?: CallOptions): CallPromise<VoiceModel>;
	/**
	 * Changes the fields that are given; the rest stays. Sent as JSON, or as `contentType` says.
	 *
	 * @throws `RequestError` for an empty array in a form, which cannot say it, and what every call throws.
	 *
	 * @example
	 * ```ts
	 * import { createSpeechClient } from '@speech-api/client';
	 *
	 * const { models } = createSpeechClient();
	 * await models.update('my-model-id', { title: 'A new title', tags: ['calm', 'warm'] });
	 * await models.update('my-model-id', { tags: ['calm'] }, { contentType: 'application/x-www-form-urlencoded' });
	 * ```
	 */
	update(id: string, changes: UpdateModelRequest, options?: BodyOptions<BodyType>): CallPromise<void>;
	/**
	 * Deletes a voice model. A later `get` throws `NotFoundError`.
	 *
	 * @example
	 * ```ts
	 * import { createSpeechClient } from '@speech-api/client';
	 *
	 * await createSpeechClient().models.delete('my-model-id');
	 * ```
	 */
	delete(id: string, options?: CallOptions): CallPromise<void>;
}
/**
 * A list of voice models: the first page when awaited, every item of every page when iterated.
 *
 * Nothing is requested before one of the two happens; each request is made once.
 */
declare class ModelList implements PromiseLike<ModelPage>, AsyncIterable<VoiceModel> {
	#private;
	constructor(load: (page: number) => CallPromise<VoiceModelList>, first: number);
	/** One page by its number, counted from 1. */
	page(number: number): Promise<ModelPage>;
	then<Fulfilled = ModelPage, Rejected = never>(onFulfilled?: ((page: ModelPage) => Fulfilled | PromiseLike<Fulfilled>) | null, onRejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null): Promise<Fulfilled | Rejected>;
	/** As of a promise. */
	catch<Rejected = never>(onRejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null): Promise<ModelPage | Rejected>;
	/** As of a promise. */
	finally(onFinally?: (() => void) | null): Promise<ModelPage>;
	/** The first page, and the service's `Response`. */
	withResponse(): Promise<{
		readonly data: ModelPage;
		readonly response: Response;
	}>;
	/** Every item from the first page asked for to the last; the next page is requested when it is needed. */
	[Symbol.asyncIterator](): AsyncGenerator<VoiceModel, void, undefined>;
}

/** Context of an answer with speech. */
interface SpeechContext {
	readonly call: Call;
	readonly response: Response;
	readonly format: AudioFormat;
	/** True if the text has anything that can be spoken, so that an answer without audio is wrong. */
	readonly speakable: boolean;
}
/**
 * Audio as it arrives. It can be read once: by iterating, or through `body`, `bytes()` or `blob()`.
 *
 * Nothing is read ahead: the service sends as fast as the audio is read. Audio that is not wanted any more is best
 * left (`break`), cancelled or held with `await using`: until then its connection stays open.
 */
declare class SpeechAudio implements AsyncIterable<Uint8Array>, AsyncDisposable {
	#private;
	/** The format that was asked for. */
	readonly format: AudioFormat;
	/** The media type as the service names it, such as `audio/mpeg`. */
	readonly contentType: string;
	/** The trace id of the call: 32 hex digits. */
	readonly traceId: string | undefined;
	constructor({ call, response, format, speakable }: SpeechContext);
	/** The headers of the answer. */
	get headers(): Headers;
	/**
	 * The pieces of the audio in order, as they arrive; where one ends means nothing. Leaving the loop ends the call.
	 *
	 * @throws `ProtocolError` for bytes of another format, and at the end of an empty clip or of half a sample,
	 * `ConnectionError` when the body is cut,
	 * `TimeoutError` when it hangs, `AbortError` by the caller's signal, `TypeError` when it was read before.
	 */
	[Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array, void, undefined>;
	/** The audio as a web stream; reading it throws what iterating throws. Looking at it takes nothing. */
	get body(): ReadableStream<Uint8Array>;
	/** All of the audio, held in memory. @throws what iterating throws, and `ProtocolError` for too much of it. */
	bytes(options?: HoldOptions): Promise<Uint8Array<ArrayBuffer>>;
	/** All of the audio as a `Blob` of its media type, for an `audio` element or an upload. @throws what `bytes` throws. */
	blob(options?: HoldOptions): Promise<Blob>;
	/** Ends the call and closes its connection. Harmless when the audio was read to its end. */
	cancel(): void;
	/** Cancels the unread rest at the end of an `await using` block. */
	[Symbol.asyncDispose](): Promise<void>;
}

/**
 * Speech with its timestamps, as it arrives. It can be read once: by iterating its events or with `collect()`.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 *
 * const client = createSpeechClient();
 * const stream = await client.speech.streamWithTimestamps({ text: 'Every word has its time.', format: 'opus' });
 * let bytes = 0;
 * for await (const event of stream) {
 *   if (event.type === 'audio-chunk') bytes += event.audio.length;
 * }
 * for (const { text, start, end } of stream.timeline.segments) console.log(text, start, end);
 * console.log(bytes, stream.timeline.toVtt());
 * ```
 */
declare class SpeechStream implements AsyncIterable<SpeechEvent>, AsyncDisposable {
	#private;
	/** The format that was asked for. */
	readonly format: AudioFormat;
	/** The trace id of the call: 32 hex digits. */
	readonly traceId: string | undefined;
	/** When each word is spoken. Filled while the stream is read, and readable at any time. */
	readonly timeline: Timeline;
	constructor(context: SpeechContext);
	/** The headers of the answer. */
	get headers(): Headers;
	/**
	 * The events in order; the timeline has taken in each one before it is handed over. Leaving the loop ends the call.
	 *
	 * @throws `ProtocolError` for a malformed event or a stream without any audio, `ConnectionError` when the
	 * connection breaks, `TimeoutError` when it hangs, `AbortError` by the caller's signal, `TypeError` when it was
	 * read before. Audio that came before is still good.
	 */
	[Symbol.asyncIterator](): AsyncIterableIterator<SpeechEvent, void, undefined>;
	/**
	 * Reads the stream to its end and holds all of the audio in memory.
	 *
	 * @throws what iterating throws, and `ProtocolError` for too much of it.
	 */
	collect(options?: HoldOptions): Promise<CollectedSpeech>;
	/** Ends the call and closes its connection. Harmless when the stream was read to its end. */
	cancel(): void;
	/** Cancels the unread rest at the end of an `await using` block. */
	[Symbol.asyncDispose](): Promise<void>;
}

/** Text to speech. */
interface SpeechResource {
	/**
	 * Turns text into audio. Resolves when the answer begins; the audio follows as it is made.
	 *
	 * Sent once: a failure is never tried again unless `retry.methods` names POST. Sample rates, models and formats that
	 * do not go together are refused before anything is sent.
	 *
	 * @throws `RequestError` before sending, `ApiError` when the service refuses, `ConnectionError`, `TimeoutError`,
	 * `AbortError`, and `ProtocolError` when a successful response is not audio of that format.
	 *
	 * @example
	 * ```ts
	 * import { createSpeechClient } from '@speech-api/client';
	 *
	 * const client = createSpeechClient();
	 * const audio = await client.speech.create({ text: 'Good morning.', format: 'mp3' });
	 * for await (const piece of audio) console.log(piece.length);
	 * ```
	 */
	create<Request extends AnyRequest = OfferedRequest, Options extends SpeechOptions = SpeechOptions>(request: Request & CheckedRequest<Request, Options>, options?: Options & CheckedOptions<Options>): CallPromise<SpeechAudio>;
	/**
	 * Turns text into audio with the time of each word. Resolves when the answer begins.
	 *
	 * @throws what {@link SpeechResource.create} throws.
	 *
	 * @example
	 * ```ts
	 * import { createSpeechClient } from '@speech-api/client';
	 *
	 * const client = createSpeechClient();
	 * const stream = await client.speech.streamWithTimestamps({ text: 'Good morning.', format: 'opus' });
	 * const { audio, timeline } = await stream.collect();
	 * console.log(audio.length, timeline.segments);
	 * ```
	 */
	streamWithTimestamps<Request extends AnyRequest = OfferedRequest, Options extends SpeechOptions = SpeechOptions>(request: Request & CheckedRequest<Request, Options>, options?: Options & CheckedOptions<Options>): CallPromise<SpeechStream>;
}

/** Speech to text (beta). */
interface TranscriptionsResource {
	/**
	 * Transcribes one audio file of 1 second to 60 minutes and at most 20 MB. All times are in seconds.
	 *
	 * Timed segments come only with `ignore_timestamps: false`. Sent once, like every POST; as a multipart form, or
	 * as MessagePack with `contentType: 'application/msgpack'`, which copies no byte of the audio.
	 *
	 * @throws `RequestError` for an empty or too large file and for several files before sending, and what every call throws.
	 *
	 * @example
	 * ```ts
	 * import { createSpeechClient } from '@speech-api/client';
	 * import { openAudioFile } from '@speech-api/client/node';
	 *
	 * const client = createSpeechClient();
	 * const audio = await openAudioFile('interview.mp3');
	 * const { text, segments } = await client.transcriptions.create({ audio, ignore_timestamps: false });
	 * console.log(text, segments);
	 * ```
	 */
	create<Audio extends BinaryInput | string>(request: Omit<TranscriptionRequest, 'audio'> & {
		readonly audio: Audio & NoPath<Audio>;
	}, options?: BodyOptions<'multipart/form-data' | 'application/msgpack'>): CallPromise<Transcription>;
}

/** The credit and the package of a user. */
interface WalletResource {
	/**
	 * The API credit. `credit` is a decimal number in a string and stays one: a float would round it.
	 *
	 * @param userId - A user's id. @defaultValue `'self'`, the owner of the key
	 *
	 * @example
	 * ```ts
	 * import { createSpeechClient } from '@speech-api/client';
	 *
	 * const client = createSpeechClient();
	 * const { credit } = await client.wallet.getApiCredit();
	 * console.log(credit);
	 * ```
	 */
	getApiCredit(userId?: string, options?: CallOptions): CallPromise<ApiCredit>;
	/**
	 * The package: what is booked and what is left of it.
	 *
	 * @param userId - A user's id. @defaultValue `'self'`, the owner of the key
	 *
	 * @example
	 * ```ts
	 * import { createSpeechClient } from '@speech-api/client';
	 *
	 * const client = createSpeechClient();
	 * const { balance, total } = await client.wallet.getPackage();
	 * console.log(`${balance} of ${total}`);
	 * ```
	 */
	getPackage(userId?: string, options?: CallOptions): CallPromise<Package>;
}

/** The whole interface over HTTP; `@speech-api/live` adds the WebSocket. */
interface SpeechClient {
	/** Text to speech. */
	readonly speech: SpeechResource;
	/** Speech to text. */
	readonly transcriptions: TranscriptionsResource;
	/** Voice models. */
	readonly models: ModelsResource;
	/** Credit and package. */
	readonly wallet: WalletResource;
	/**
	 * The openapi-fetch client beneath, typed by the specification, for anything else; its middleware sees every call
	 * of this client. It answers as openapi-fetch does, with `{ data, error, response }`.
	 */
	readonly http: SpeechHttp;
	/** Client settings with defaults applied. */
	readonly settings: ClientSettings;
	/**
	 * Another client with some options changed; what you leave out stays. Both share the limit of calls that run at once,
	 * unless you change `concurrency`, the address or the key. Middleware is not carried over.
	 *
	 * @example
	 * ```ts
	 * import { createSpeechClient } from '@speech-api/client';
	 *
	 * const client = createSpeechClient();
	 * const patient = client.with({ timeouts: { headers: 120_000 }, headers: { 'x-team': 'radio' } });
	 * console.log((await patient.models.list()).total);
	 * ```
	 */
	with(options: SpeechClientOptions): SpeechClient;
}
/**
 * Makes a client. Nothing is sent and nothing is loaded before the first call.
 *
 * @throws `ConfigurationError` without a key or a base URL, with ones that cannot work, and for a key in a browser
 * without `allowBrowserKey`.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 *
 * // apiKey and baseUrl come from SPEECH_API_KEY and SPEECH_BASE_URL here.
 * const client = createSpeechClient({ model: 's2-pro', timeouts: { headers: 20_000 } });
 * const audio = await client.speech.create({ text: 'Hello there.', format: 'wav' });
 * console.log(audio.contentType, (await audio.bytes()).length);
 * ```
 */
declare function createSpeechClient(options?: SpeechClientOptions): SpeechClient;

/**
 * Compares two amounts of credit exactly, by their digits: -1 when `left` is less than `right`, 0 when they are
 * equal, 1 when it is more. No float is made, which would call `0.1` and `0.10000000000000000001` the same.
 *
 * @param left - A decimal number in a string, as `getApiCredit()` gives it, or an integer.
 * @param right - What it is compared with.
 *
 * @throws `RangeError` for anything but a decimal number, such as `1e3` or an empty string.
 *
 * @example
 * ```ts
 * import { compareCredit, createSpeechClient } from '@speech-api/client';
 *
 * const { credit } = await createSpeechClient().wallet.getApiCredit();
 * if (compareCredit(credit, '0.50') < 0) console.log('less than half a unit is left');
 * ```
 */
declare function compareCredit(left: string | bigint, right: string | bigint): -1 | 0 | 1;

export { CallSpan, ModelList, SpeechAudio, SpeechError, SpeechStream, TraceSource, compareCredit, createSpeechClient, isDialogue };
export type { AnyRequest, ApiKeySource, BodyOptions, CallOptions, CallPromise, CheckedRequest, ClientSettings, DialogueRequest, Fetch, HoldOptions, LogFields, Logger, ModelPage, ModelsResource, OfferedRequest, OneVoiceRequest, RetryOptions, SampledDialogueRequest, SpeechClient, SpeechClientOptions, SpeechHttp, SpeechOptions, SpeechRequest, SpeechResource, Timeouts, TranscriptionsResource, WaitOptions, WalletResource };
