import type { SynthesisModel, TranscriptionModel } from '@speech-api/types';
import { headerNames } from '@speech-api/types/constants';
import type { TraceSource } from './trace.ts';

/** `fetch` or a replacement: an instrumented one, one with a proxy agent, a test double. */
export type Fetch = (address: string, init: FetchInit) => Promise<FetchAnswer>;

/** The second argument of `fetch`. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  redirect: 'manual';
  signal: AbortSignal;
  cache?: 'no-store';
}

/** The parts of a `Response` that are read, so that the one of undici or of another package also works. */
export interface FetchAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly body: unknown;
}

/** Returns the API key for the next request. */
export type ApiKeySource = () => string | Promise<string>;

/** Options with all fields filled in. */
export type Complete<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> };

/** Deadlines in milliseconds, `Infinity` for none. Each closes the connection and throws a `TimeoutError`. */
export interface Timeouts {
  /** From the call until it has a place among those that may run at once. @defaultValue 300000 */
  readonly queue?: number | undefined;
  /**
   * From sending until the response headers are there, the upload included.
   * @defaultValue 60000; for a transcription 300000 and 1000 more for each 100 KB that is sent
   */
  readonly headers?: number | undefined;
  /** From the headers until the first byte of the body. @defaultValue 30000 */
  readonly firstByte?: number | undefined;
  /** Between two pieces of the body, counted only while your code waits for the next. @defaultValue 30000 */
  readonly idle?: number | undefined;
  /**
   * The whole call from its place in the queue on, retries included.
   * @defaultValue 60000 for JSON, `Infinity` for audio and `client.http`; for a transcription 60000 above `headers`
   */
  readonly total?: number | undefined;
}

/**
 * When a failed call is tried again: after 408, 429, 5xx, or a connection that failed before the answer
 * began. A call is never retried after a successful response has started. A call other than GET is also not
 * retried after an error whose body was cut.
 * Waits are exponential with full jitter; `retry-after` is obeyed within `maximumDelay`.
 */
export interface RetryOptions {
  /** Number of retries after the first try; 0 disables retries. @defaultValue 2 */
  readonly retries?: number | undefined;
  /**
   * The methods that may be sent again, in any case. A POST that is sent twice may be billed twice: add it only where
   * that is fine; its body is kept in memory until the answer begins. @defaultValue `['GET']`
   */
  readonly methods?: readonly string[] | undefined;
  /**
   * Repeats a call of any method where it was certainly not billed: after a 429, and when the connection was refused.
   * @defaultValue false
   */
  readonly unbilled?: boolean | undefined;
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
export interface SpeechClientOptions {
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
   * Used instead of the global `fetch`, for a proxy, an agent or a certificate of your own. It gets an address and an
   * init with `method`, `headers` as a plain object, a `body` that is a string or one `Uint8Array`, a `signal` and
   * `redirect: 'manual'`, and must not follow redirects by itself.
   *
   * @example
   * ```ts
   * import { createSpeechClient, type Fetch } from '@speech-api/client';
   *
   * // With undici: `import { EnvHttpProxyAgent } from 'undici'; const dispatcher = new EnvHttpProxyAgent();`
   * const dispatcher = {};
   * const throughProxy: Fetch = (address, init) => fetch(address, { ...init, dispatcher } as RequestInit);
   * const client = createSpeechClient({ fetch: throughProxy });
   * console.log(client.settings.baseUrl);
   * ```
   */
  readonly fetch?: Fetch | undefined;
  /** Headers of every request; a call's own win. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Deadlines of every call; a call's own win. */
  readonly timeouts?: Timeouts | undefined;
  /** Retries of failed calls. */
  readonly retry?: RetryOptions | undefined;
  /**
   * Maximum number of calls at once; further ones wait their turn, first come, first served. A call counts
   * until its body is read or cancelled, one of `client.http` until its headers are there. @defaultValue `Infinity`
   */
  readonly concurrency?: number | undefined;
  /** The trace that every call joins. Without one, or with `false`, no `traceparent` is sent. */
  readonly trace?: TraceSource | false | undefined;
  /**
   * Gets a line about each attempt, answer, failure and end; never a text, audio or a key. In Node the variable
   * `SPEECH_LOG` set to `debug`, `info` or `warn` writes to the console where no logger is passed.
   */
  readonly logger?: Logger | undefined;
  /** A key in a web page is readable by every visitor. `true` confirms that this is intended. @defaultValue false */
  readonly allowBrowserKey?: boolean | undefined;
}

/** The options of each call, in addition to its request. */
export interface CallOptions {
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

/** Options of a call with a body. */
export interface ExtraOptions extends CallOptions {
  /**
   * Fields that this specification does not know, such as `{ pronunciation_dictionary: … }`: they are merged into the
   * body. A field that it knows belongs in the request and is refused here.
   */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of a call whose body can be encoded in several ways. */
export interface BodyOptions<ContentType extends string> extends ExtraOptions {
  /** Encoding of the body; each carries the same fields. */
  readonly contentType?: ContentType | undefined;
}

/** The options of a synthesis call, in addition to its request. */
export interface SpeechOptions extends ExtraOptions {
  /** The TTS model, sent as the header `model`. Any name may be given, for new ones appear. @defaultValue the client's */
  readonly model?: SynthesisModel | undefined;
}

/** The options of a transcription, in addition to its request. */
export interface TranscriptionOptions extends BodyOptions<'multipart/form-data' | 'application/msgpack'> {
  /**
   * The transcription model, such as `transcribe-1-pro`. The client's own model is for speech and never sent with it.
   * @defaultValue that of the service
   */
  readonly model?: TranscriptionModel | undefined;
}

/** Fields of a log entry about a call. Never a text to speak, a transcript, audio or a key, at any level. */
export interface LogFields {
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
export interface Logger {
  /** Each request and each answer, with the headers that may be shown, and the end of each call. */
  debug?(message: string, fields: LogFields): void;
  /** That a call waits to be tried again. */
  info?(message: string, fields: LogFields): void;
  /** Each failure, whether or not it is tried again. */
  warn?(message: string, fields: LogFields): void;
}

// Headers that may be logged. An allow-list, so that an unknown header is never shown.
const shownHeaders = [
  'accept',
  'content-type',
  'content-length',
  headerNames.model,
  headerNames.traceparent,
  headerNames.traceId,
  headerNames.concurrencyLimit,
  headerNames.concurrencyInUse,
  headerNames.retryAfter,
];

/** The headers that may be written to a log. @internal */
export function loggedHeaders(headers: Headers, redact: (text: string) => string): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const name of shownHeaders) {
    const value = headers.get(name);
    if (value !== null) shown[name] = redact(value.slice(0, 300));
  }
  return shown;
}
