import type { SynthesisModel } from '@speech-api/types';
import { defaultModel } from '@speech-api/types/constants';
import { kindOf } from './core/encode.ts';
import { AbortError, ConfigurationError, RequestError, withoutKey } from './errors.ts';
import type {
  CallOptions,
  Complete,
  Fetch,
  Logger,
  RetryOptions,
  SpeechClientOptions,
  Timeouts,
} from './options.ts';
import { isBrowser, readVariable, streamsUploads } from './runtime.ts';
import type { TraceSource } from './trace.ts';

/** Settings of a client with defaults applied; `@speech-api/live` and others build on them. */
export interface ClientSettings {
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
  readonly trace: TraceSource | false | undefined;
  readonly logger: Logger | undefined;
  /** True if `fetch` accepts a stream of known length as a body; false for an injected one. */
  readonly streamsUploads: boolean;
  /** The value of the header `Authorization` for the next request; undefined where no key is sent. */
  authorization(): Promise<string | undefined>;
  /** A text from outside, without the key in it. */
  redact(text: string): string;
}

/**
 * A description of the valid values and a test for them, or the checks of each option in an object. Only numbers and
 * names that would fail unnoticed are checked; the compiler checks the rest.
 */
type Check = readonly [words: string, works: (value: unknown) => boolean] | Checks;
interface Checks {
  readonly [name: string]: Check;
}

const isAtLeast = (minimum: number) => (value: unknown) => typeof value === 'number' && value >= minimum;
const isWhole = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isHeaderWord = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
const deadline: Check = ['a number of milliseconds above 0, or Infinity', isAtLeast(Number.MIN_VALUE)];
const delay: Check = ['a number of milliseconds from 0', isAtLeast(0)];
const anything: Check = ['anything', () => true];

const inBoth: Checks = {
  timeouts: { queue: deadline, headers: deadline, firstByte: deadline, idle: deadline, total: deadline },
  retry: {
    retries: ['a whole number from 0', isWhole],
    methods: ['a list of names', Array.isArray],
    minimumDelay: delay,
    maximumDelay: delay,
    unbilled: ['true or false', (value) => typeof value === 'boolean'],
  },
  trace: anything,
  model: ['a name without spaces', isHeaderWord],
  headers: ['an object of names and texts that a header can carry', areHeaders],
};

const clientChecks: Checks = {
  ...inBoth,
  apiKey: anything,
  baseUrl: anything,
  webSocketUrl: anything,
  fetch: anything,
  concurrency: [
    'a whole number from 1, or Infinity',
    (value) => value === Number.POSITIVE_INFINITY || (isWhole(value) && value !== 0),
  ],
  logger: anything,
  allowBrowserKey: anything,
};

const callChecks: Checks = { ...inBoth, signal: anything, contentType: anything, extra: anything };

/** The options of a wait for a training. */
export const waitChecks: Checks = {
  ...callChecks,
  deadline: delay,
  minimumDelay: delay,
  maximumDelay: delay,
};

function areHeaders(value: unknown): boolean {
  try {
    return Boolean(new Headers(value as HeadersInit));
  } catch {
    return false;
  }
}

type Refuse = (field: string, message: string) => Error;

/** A copy without what is undefined. Throws for unknown names and for values that cannot work, naming them. */
function clean(options: unknown, checks: Checks, refuse: Refuse, place = ''): object {
  if (kindOf(options) !== 'Object') throw refuse(place, `${place || 'options'} must be an object`);
  const cleaned: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options as object)) {
    const path = place ? `${place}.${name}` : name;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!check) throw refuse(path, `unknown option ${path}; use one of ${Object.keys(checks).join(', ')}`);
    if (value === undefined) continue;
    cleaned[name] = value;
    if (!isRule(check)) cleaned[name] = clean(value, check, refuse, path);
    else if (!check[1](value)) throw refuse(path, `${path} must be ${check[0]}`);
    else if (check === inBoth.headers) cleaned[name] = Object.fromEntries(new Headers(value as HeadersInit));
    else if (name === 'methods') cleaned[name] = (value as string[]).map((method) => method.toUpperCase());
  }
  return cleaned;
}

const isRule = (check: Check): check is Exclude<Check, Checks> => Array.isArray(check);

/** The options of a call, ready to be used. @throws `AbortError` if the signal is aborted already */
export function cleanCallOptions(options: unknown, checks = callChecks): CallOptions {
  const refuse: Refuse = (field, message) => new RequestError(message, { field: field || 'options' });
  const cleaned: CallOptions = clean(options, checks, refuse);
  if (cleaned.signal?.aborted) throw new AbortError(cleaned.signal.reason);
  return cleaned;
}

/** Node's own `fetch` stops waiting for headers, or for the next bytes, after this many milliseconds in any case. */
const nodeWait = 300_000;

const defaultTimeouts = { queue: 300_000, headers: 60_000, firstByte: 30_000, idle: 30_000, total: 60_000 };

/** The call's deadlines. A wait that the runtime would end earlier is refused. */
export function timeoutsOf(
  settings: ClientSettings,
  ofOperation?: Timeouts,
  ofCall?: Timeouts,
): Complete<Timeouts> {
  const chosen: Timeouts = { ...settings.timeouts, ...ofCall };
  for (const phase of ['headers', 'firstByte', 'idle'] as const) {
    const milliseconds = chosen[phase] ?? 0;
    if (!settings.streamsUploads || milliseconds <= nodeWait) continue;
    const words = `timeouts.${phase} is ${milliseconds} ms, but the fetch of Node ends each wait after ${nodeWait} ms; "Long waits" in the README shows another one`;
    throw new RequestError(words, { field: `timeouts.${phase}` });
  }
  return { ...defaultTimeouts, ...ofOperation, ...chosen } as Complete<Timeouts>;
}

/** The options of a client, overridden by others; undefined ones change nothing. */
export function mergeOptions(base: SpeechClientOptions, more: SpeechClientOptions): SpeechClientOptions {
  const added: SpeechClientOptions = clean(more, clientChecks, refuseOption);
  return {
    ...base,
    ...added,
    headers: { ...base.headers, ...added.headers },
    timeouts: { ...base.timeouts, ...added.timeouts },
    retry: { ...base.retry, ...added.retry },
  };
}

const refuseOption: Refuse = (_field, message) => new ConfigurationError(message);

/** Number of keys from a function that are kept out of messages. */
const rememberedKeys = 8;

export function resolveSettings(uncheckedOptions: SpeechClientOptions): ClientSettings {
  const options: SpeechClientOptions = clean(uncheckedOptions, clientChecks, refuseOption);
  const baseUrl = readUrl(options.baseUrl, 'baseUrl', 'SPEECH_BASE_URL', ['http:', 'https:']);
  if (baseUrl === undefined) {
    throw new ConfigurationError('no base URL: pass baseUrl or set SPEECH_BASE_URL (there is no default)');
  }
  // If code sets the address, the environment variable of another service cannot change where the key goes.
  const variable = options.baseUrl === undefined ? 'SPEECH_WEBSOCKET_URL' : undefined;
  const webSocketUrl = readUrl(options.webSocketUrl, 'webSocketUrl', variable, ['ws:', 'wss:']);
  const { fetch } = options;
  const key = readKey(options);
  // The latest few rotated keys, because an answer or a cause may still contain one of them.
  let shown = typeof key === 'string' ? [key] : [];
  const settings = {
    baseUrl,
    webSocketUrl: webSocketUrl ?? baseUrl.replace(/^http/, 'ws'),
    model: options.model ?? defaultModel,
    // The global is looked up at each call, so that instrumentation installed later is used too.
    fetch: fetch ?? ((address, init) => globalThis.fetch(address, init)),
    headers: options.headers ?? {},
    timeouts: options.timeouts ?? {},
    retry: {
      ...{ retries: 2, methods: ['GET'], unbilled: false, minimumDelay: 500, maximumDelay: 10_000 },
      ...options.retry,
    },
    concurrency: options.concurrency ?? Number.POSITIVE_INFINITY,
    trace: options.trace,
    logger: options.logger ?? consoleLogger(),
    streamsUploads: fetch === undefined && streamsUploads(),
    redact: (text: string) => shown.reduce((masked, secret) => masked.replaceAll(secret, '[key]'), text),
    async authorization() {
      if (typeof key === 'function') {
        let answer: unknown;
        try {
          answer = await key();
        } catch (cause) {
          const reason = cause instanceof Error ? cause.message : String(cause);
          throw new ConfigurationError(settings.redact(`apiKey() failed: ${reason}`), {
            cause: withoutKey(cause, settings.redact),
          });
        }
        const latest = requireKey(answer, 'the API key that apiKey() gave');
        shown = [...new Set([latest, ...shown])].slice(0, rememberedKeys);
      }
      return key === null ? undefined : `Bearer ${shown[0]}`;
    },
  };
  return Object.defineProperty(settings as unknown as ClientSettings, 'apiKey', {
    get: () => (typeof key === 'string' ? key : ''),
  });
}

function readKey(options: SpeechClientOptions): NonNullable<SpeechClientOptions['apiKey']> | null {
  const { apiKey = readVariable('SPEECH_API_KEY') } = options;
  if (apiKey === null || typeof apiKey === 'function') return apiKey;
  if (!apiKey) {
    throw new ConfigurationError(
      'no API key: pass apiKey or set SPEECH_API_KEY; behind a server of your own pass null',
    );
  }
  requireKey(apiKey, 'the API key');
  if (isBrowser() && options.allowBrowserKey !== true) {
    throw new ConfigurationError(
      'every visitor of a page can read its API key; keep it on your server, behind @speech-api/relay, or pass allowBrowserKey: true',
    );
  }
  return apiKey;
}

function requireKey(key: unknown, name: string): string {
  // `Headers` would refuse it too, but its message would show the key.
  if (isHeaderWord(key)) return key;
  throw new ConfigurationError(
    `${name} is empty or has a space, a line break or a character that no header can carry; was it copied whole, and without "Bearer"?`,
  );
}

function readUrl(
  value: string | URL | undefined,
  option: string,
  variable: string | undefined,
  protocols: readonly string[],
): string | undefined {
  const text = value === undefined ? variable && readVariable(variable) : String(value);
  if (text === undefined || text === '') return undefined;
  const name = value === undefined ? variable : option;
  // A page may name its own server by a path.
  const { href } = (globalThis as { location?: { readonly href?: string } }).location ?? {};
  const base =
    isBrowser() && URL.canParse(href ?? '')
      ? href?.replace(/^http/, protocols[0] === 'ws:' ? 'ws' : 'http')
      : undefined;
  // Modules of a page are also loaded where it is rendered on a server, which can complete no path, and need not.
  if (base === undefined && /^\/(?!\/)[^?#]*$/.test(text)) return withoutSlash(text);
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (!url || !protocols.includes(url.protocol)) {
    throw new ConfigurationError(`${name} must be an address that begins with ${protocols.join('// or ')}//`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigurationError(`${name} must not hold a user name, a password, a query or a fragment`);
  }
  return withoutSlash(url.origin + url.pathname);
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');

/** Refuses a base URL that is only a path. */
export function requireOrigin(baseUrl: string): void {
  if (URL.canParse(baseUrl)) return;
  throw new ConfigurationError(`baseUrl "${baseUrl}" is a path; outside of a page, pass the whole address`);
}

/** The console at the level that `SPEECH_LOG` names, and above. */
function consoleLogger(): Logger | undefined {
  const levels = ['debug', 'info', 'warn'] as const;
  const first = (levels as readonly unknown[]).indexOf(readVariable('SPEECH_LOG'));
  if (first < 0) return undefined;
  return Object.fromEntries(
    levels
      .slice(first)
      .map((level) => [level, (message: string, fields: unknown) => console[level](message, fields)]),
  );
}
