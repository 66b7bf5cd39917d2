import type { IncomingMessage } from 'node:http';
import type { Registry } from 'prom-client';
import { defaultLimits, type RelayLimits } from './defaults.ts';
import type { Grant } from './grant.ts';
import { faultOfHost, faultOfOrigin, isHeaderValue } from './http.ts';
import { passableOperations, type RelayOperation } from './pass-through.ts';
import { faultOfAddress, type SessionReport, type Upstream } from './session.ts';
import type { RelayState } from './state.ts';

/** A page that asks to open a session. */
export interface RelayRequest {
  /** The upgrade, for cookies and other headers. Its address never holds a ticket. */
  readonly request: IncomingMessage;
  /** The ticket that came as a subprotocol. */
  readonly ticket: string | undefined;
  /** The allowed Origin, or nothing for a program that is not a browser. */
  readonly origin: string | undefined;
}

/** One line of the log, to be written as JSON. */
export type RelayLogEntry =
  | ({ readonly event: 'session' } & SessionReport)
  | {
      readonly event: 'refused';
      readonly traceId: string;
      readonly status: number;
      readonly reason: string;
    }
  | {
      readonly event: 'passed';
      readonly traceId: string;
      readonly operation: RelayOperation;
      readonly status: number;
      /** Unicode code points of text that went to the service. */
      readonly characters: number;
      /** Why it was refused. */
      readonly reason?: string;
    }
  | { readonly event: 'draining'; readonly sessions: number };

/** What a relay is made of. */
export interface RelayOptions {
  readonly upstream: Upstream;
  /** Origins of the pages that may come, such as `https://app.example`. */
  readonly origins: readonly string[];
  /** Names of this relay in `Host`, in addition to the loopback ones, without a port. */
  readonly hosts?: readonly string[] | undefined;
  /** Who may come, and for what. Nothing, or an error, refuses: the application's session, or a ticket. */
  readonly authorize: (request: RelayRequest) => Grant | undefined | PromiseLike<Grant | undefined>;
  /**
   * Operations over HTTP that are passed on besides, in JSON; `upstream.baseUrl` is needed for them.
   * @defaultValue none
   */
  readonly operations?: readonly RelayOperation[] | undefined;
  readonly limits?: Partial<RelayLimits> | undefined;
  /** Where sessions and characters are counted; for several relays that of `connectRedis`. @defaultValue this process */
  readonly state?: RelayState | undefined;
  /** Where the metrics of the relay are registered, for Prometheus. */
  readonly metrics?: Registry | undefined;
  readonly log?: ((entry: RelayLogEntry) => void) | undefined;
}

const optionNames: Readonly<Record<keyof RelayOptions, true>> = {
  upstream: true,
  origins: true,
  hosts: true,
  authorize: true,
  operations: true,
  limits: true,
  state: true,
  metrics: true,
  log: true,
};

const upstreamNames: Readonly<Record<keyof Upstream, true>> = {
  webSocketUrl: true,
  apiKey: true,
  model: true,
  baseUrl: true,
};

/** @throws TypeError or RangeError that names the option which is missing, unknown or wrong; never shows the key */
export function checkOptions(options: RelayOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('the options must be an object with upstream, origins and authorize');
  }
  checkNames('option', options, optionNames);
  const { upstream, origins, hosts = [], authorize, operations = [], limits = {} } = options;
  if (typeof upstream !== 'object' || upstream === null) {
    throw new TypeError('upstream must be an object with webSocketUrl, apiKey and model');
  }
  checkNames('upstream', upstream, upstreamNames);
  for (const name of ['apiKey', 'model'] as const) {
    if (!isHeaderValue(upstream[name])) {
      throw new TypeError(`upstream.${name} must be a string of ASCII characters without spaces`);
    }
  }
  if (typeof authorize !== 'function') {
    throw new TypeError('authorize must be a function that returns a grant, or nothing');
  }
  const fault = faultOfAddress(upstream.webSocketUrl);
  if (fault !== undefined) throw new RangeError(`webSocketUrl ${fault}`);
  checkList('operations', operations, (operation) =>
    passableOperations.includes(operation as RelayOperation)
      ? undefined
      : `use ${passableOperations.join(' or ')}`,
  );
  if (operations.length > 0) {
    const missing = faultOfAddress(upstream.baseUrl ?? '', 'http');
    if (missing !== undefined) throw new RangeError(`baseUrl ${missing}`);
  }
  checkList('origins', origins, faultOfOrigin);
  checkList('hosts', hosts, faultOfHost);
  if (typeof limits !== 'object' || limits === null) throw new TypeError('limits must be an object');
  const wrong = faultOfLimits(limits);
  if (wrong !== undefined) throw new RangeError(`limits: ${wrong}`);
}

function checkNames(what: string, given: object, known: Readonly<Record<string, true>>): void {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue;
    throw new TypeError(`the ${what} ${name} is unknown; use ${Object.keys(known).join(', ')}`);
  }
}

function checkList(name: string, list: unknown, faultOf: (entry: string) => string | undefined): void {
  if (!Array.isArray(list)) throw new TypeError(`${name} must be a list of strings`);
  for (const entry of list) {
    const fault = typeof entry === 'string' ? faultOf(entry) : 'use a string';
    if (fault !== undefined) throw new RangeError(`${name} has "${entry}"; ${fault}`);
  }
}

/** A timer of more milliseconds ends at once. */
const maximumSeconds = Math.floor((2 ** 31 - 1) / 1000);
const maximumCount = 1e9;

/** What is wrong with limits, if anything: one that is not a number would not limit. */
export function faultOfLimits(limits: object): string | undefined {
  for (const [name, limit] of Object.entries(limits)) {
    if (!Object.hasOwn(defaultLimits, name)) {
      return `${name} is unknown; use ${Object.keys(defaultLimits).join(', ')}`;
    }
    if (limit === undefined) continue;
    const isTime = name.endsWith('Seconds');
    const maximum = isTime ? maximumSeconds : maximumCount;
    if (
      typeof limit !== 'number' ||
      !(limit > 0 && limit <= maximum) ||
      !(isTime || Number.isInteger(limit))
    ) {
      const shown = typeof limit === 'number' ? limit : JSON.stringify(limit);
      return `${name} is ${shown}; use a ${isTime ? 'number of seconds' : 'whole number'} above 0, up to ${maximum}`;
    }
  }
  return undefined;
}

/** The limits that are given: one that is undefined would be none. */
export function givenLimits(limits: Partial<RelayLimits> = {}): Partial<RelayLimits> {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
