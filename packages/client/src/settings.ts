import type { SynthesisModel } from '@speech-api/types';
import { defaultModel } from '@speech-api/types/constants';
import { isBrowser, readVariable, streamsUploads } from './environment.ts';
import { ConfigurationError } from './errors/configuration-error.ts';
import type { Logger } from './logger.ts';
import type { Fetch, RetryOptions, SpeechClientOptions, Timeouts } from './options.ts';
import type { TraceSource } from './trace.ts';

/** What a client was made with, defaults filled in; `@speech-api/live` and others build on it. */
export interface ClientSettings {
  /** The key. Not enumerable: a logged client does not show it. */
  readonly apiKey: string;
  /** Address of the HTTP API, without a slash at the end. */
  readonly baseUrl: string;
  /** Address of the WebSocket API, without a slash at the end. */
  readonly webSocketUrl: string;
  readonly model: SynthesisModel;
  readonly fetch: Fetch;
  readonly timeouts: Timeouts;
  readonly retry: Required<RetryOptions>;
  readonly concurrency: number;
  readonly trace: TraceSource | false | undefined;
  readonly logger: Logger | undefined;
  /** Whether `fetch` takes a stream of known length as a body; an injected one is not asked to. */
  readonly streamsUploads: boolean;
}

export function resolveSettings(options: SpeechClientOptions): ClientSettings {
  const baseUrl = readUrl(options.baseUrl, 'baseUrl', 'SPEECH_BASE_URL', ['http:', 'https:']);
  if (baseUrl === undefined) {
    throw new ConfigurationError(
      'no base URL: pass baseUrl to createSpeechClient or set SPEECH_BASE_URL (there is no default)',
    );
  }
  const webSocketUrl = readUrl(options.webSocketUrl, 'webSocketUrl', 'SPEECH_WEBSOCKET_URL', ['ws:', 'wss:']);
  const concurrency = options.concurrency ?? Number.POSITIVE_INFINITY;
  if (!(concurrency >= 1)) throw new ConfigurationError('concurrency must be at least 1');
  const { fetch } = options;
  const settings = {
    baseUrl,
    webSocketUrl: webSocketUrl ?? baseUrl.replace(/^http/, 'ws'),
    model: options.model ?? defaultModel,
    // The global is looked up at each call, so that instrumentation installed later is used too.
    fetch: fetch ?? ((input: Request | string, init?: RequestInit) => globalThis.fetch(input, init)),
    timeouts: options.timeouts ?? {},
    retry: { retries: 2, methods: ['GET'], minimumDelay: 500, maximumDelay: 10_000, ...options.retry },
    concurrency,
    trace: options.trace,
    logger: options.logger,
    streamsUploads: fetch === undefined && streamsUploads(),
  };
  const apiKey = readKey(options);
  return Object.defineProperty(settings as ClientSettings, 'apiKey', { get: () => apiKey });
}

function readKey(options: SpeechClientOptions): string {
  const apiKey = options.apiKey ?? readVariable('SPEECH_API_KEY');
  if (!apiKey) {
    throw new ConfigurationError('no API key: pass apiKey to createSpeechClient or set SPEECH_API_KEY');
  }
  // Headers would refuse it too, with a message that shows the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ConfigurationError(
      'the API key has a space, a line break or a character that no header can carry; was it copied whole?',
    );
  }
  if (isBrowser() && options.allowBrowserKey !== true) {
    throw new ConfigurationError(
      'an API key in a web page can be read by every visitor; keep it on a server of yours and let ' +
        '@speech-api/relay carry the calls, or pass allowBrowserKey: true where the key may be seen',
    );
  }
  return apiKey;
}

function readUrl(
  given: string | undefined,
  option: string,
  variable: string,
  protocols: readonly string[],
): string | undefined {
  const text = given ?? readVariable(variable);
  if (text === undefined || text === '') return undefined;
  const name = given === undefined ? variable : option;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !protocols.includes(url.protocol)) {
    throw new ConfigurationError(`${name} must be an address that begins with ${protocols.join('// or ')}//`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigurationError(`${name} must not hold a user name, a password, a query or a fragment`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}
