import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { headerNames, mediaTypes, operationTable } from '@speech-api/types';
import { type Answer, CutOnPurpose, jsonAnswer, Refusal, refusalEntry } from './answer.ts';
import type { CallLog } from './call-log.ts';
import type { IncomingRequest } from './receive.ts';
import { isBytes } from './schema.ts';

/** The request header that asks for faults in the answer to the same request. */
export const faultHeader = 'x-speech-fault';

/** Faults of one answer. Undefined fields cause none. */
export interface Faults {
  /** Status of an error that replaces the answer, with a general error body. */
  readonly status?: number;
  /** True if the connection ends without an answer. */
  readonly reset?: true;
  readonly delayMilliseconds?: number;
  /** The connection is cut after this many bytes of the body. */
  readonly cutAfterBytes?: number;
  readonly dripBytesPerSecond?: number;
  /** Minimum time between two pieces of the body, such as events. */
  readonly paceMilliseconds?: number;
  /** The event with this number, counted from 1, is not valid JSON. */
  readonly malformedEvent?: number;
  /** True if half of the first piece of the body is overwritten, so that it is no JSON, audio or event. */
  readonly malformed?: true;
  readonly mediaType?: string;
}

/** The kinds of value: the form of each, and the words that describe it in an error. */
const kinds = {
  status: [/^[45]\d\d$/, 'a status from 400 to 599'],
  time: [/^\d{1,6}(\.\d+)?(ms|s)$/, 'a time such as 500ms or 2s, at most ten minutes'],
  bytes: [/^\d{1,12}$/, 'a number of bytes'],
  rate: [/^[1-9]\d{0,11}$/, 'a number of bytes per second, at least 1'],
  event: [/^[1-9]\d{0,8}$/, 'the number of an event, counted from 1'],
  nothing: [/^$/, 'no value'],
  mediaType: [/^[a-z]+\/[a-z0-9.+-]{1,60}$/, 'a media type such as text/html'],
} as const;

const faultWords: Readonly<Record<string, readonly [keyof Faults, keyof typeof kinds]>> = {
  status: ['status', 'status'],
  reset: ['reset', 'nothing'],
  delay: ['delayMilliseconds', 'time'],
  pace: ['paceMilliseconds', 'time'],
  cut: ['cutAfterBytes', 'bytes'],
  drip: ['dripBytesPerSecond', 'rate'],
  'malformed-event': ['malformedEvent', 'event'],
  malformed: ['malformed', 'nothing'],
  type: ['mediaType', 'mediaType'],
};

function readValue(value: string, kind: keyof typeof kinds): number | string | true {
  if (kind === 'nothing') return true;
  if (kind === 'mediaType') return value;
  if (kind !== 'time') return Number(value);
  return Math.min(Number.parseFloat(value) * (value.endsWith('ms') ? 1 : 1000), 600_000);
}

const examples =
  'status=503, reset, delay=500ms, cut=2000, drip=1000, pace=40ms, malformed-event=2, malformed or type=text/html';

/** Reads faults such as `delay=500ms cut=2000`, separated by spaces or commas. */
export function readFaults(text: string): Faults {
  return parseWords(wordsOf(text));
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function parseWords(words: readonly string[]): Faults {
  const faults: Record<string, number | string | true> = {};
  for (const word of words) {
    const [name = '', value = ''] = word.split(/=(.*)/s);
    const fault = Object.hasOwn(faultWords, name) ? faultWords[name] : undefined;
    const shown = word.slice(0, 80);
    if (fault === undefined) throw new Error(`Unknown fault "${shown}". Use one of ${examples}.`);
    const [field, kind] = fault;
    const [shape, takes] = kinds[kind];
    if (!shape.test(value)) throw new Error(`"${shown}": ${name} takes ${takes}.`);
    if (faults[field] !== undefined) throw new Error(`${name} is given twice; give it once.`);
    faults[field] = readValue(value, kind);
  }
  return faults;
}

const counted = /^(every|times)=(.*)$/s;

/**
 * Reads a rule such as `POST /v1/tts status=503 times=2`.
 *
 * Method and path are optional, and a path may end in `*`. `every=3` applies to every third request that matches,
 * `times=2` to the first two of those.
 *
 * @throws Error with a message for a person, which shows the rule
 */
export function readRule(text: string) {
  try {
    return ruleOf(wordsOf(text));
  } catch (error) {
    throw new Error(`The rule "${text.slice(0, 200)}" is not valid. ${(error as Error).message}`);
  }
}

function ruleOf(words: readonly string[]) {
  const method = words.find((word) => /^[A-Z]+$/.test(word));
  const path = words.find((word) => word.startsWith('/'));
  const names = words.filter((word) => word !== method && word !== path && !counted.test(word));
  const counts = new Map(words.map((word) => counted.exec(word)).map((match) => [match?.[1], match?.[2]]));
  const every = readCount('every', counts.get('every')) ?? 1;
  const times = readCount('times', counts.get('times')) ?? Number.POSITIVE_INFINITY;
  if (names.length === 0) throw new Error(`It names no fault. Add one of ${examples}.`);
  checkMatches(method, path);
  let seen = 0;
  let applied = 0;
  return {
    faults: parseWords(names),
    /** Whether the rule applies to this request. Ask once per request, because rules count. */
    applies(requestMethod: string, requestPath: string): boolean {
      if (method !== undefined && method !== requestMethod) return false;
      if (path !== undefined && !isMatch(path, requestPath)) return false;
      seen += 1;
      if (seen % every !== 0 || applied >= times) return false;
      applied += 1;
      return true;
    },
  };
}

/** @throws Error when no operation has the method and the path */
function checkMatches(method: string | undefined, path: string | undefined): void {
  const operations = Object.values(operationTable);
  const isMet = operations.some(
    (operation) =>
      (method === undefined || method === operation.method) &&
      (path === undefined || canMatch(path, operation.path)),
  );
  if (isMet) return;
  const target = [method, path].filter((word) => word !== undefined).join(' ');
  const targets = operations.map((operation) => `${operation.method} ${operation.path}`).join(', ');
  throw new Error(`No operation is called by ${target}. Use one of ${targets}.`);
}

/** True if the pattern can match a path of the template. */
function canMatch(pattern: string, template: string): boolean {
  const segments = pattern.split('/');
  // A parameter may be anything, so it takes the pattern's text at its place.
  const parts = template.split('/').map((part, index) => (part.startsWith('{') ? segments[index] : part));
  return isMatch(pattern, parts.join('/'));
}

function isMatch(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

function readCount(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new Error(`${name} takes a number from 1, not "${value}".`);
  return Number(value);
}

/**
 * The faults of an answer: those of the request's header, otherwise those of the first rule that applies.
 *
 * @throws Refusal `rule` when the header is not valid
 */
export type FaultPlan = (request: IncomingRequest) => Faults | undefined;

/**
 * Makes a plan from rules such as `POST /v1/tts status=503 times=2`.
 *
 * @param rules an empty list leaves it to the header; `undefined` turns faults off, the header included
 * @param log - The rules count anew when it is cleared.
 * @throws Error naming the rule that is not valid
 */
export function planFaults(
  rules: readonly string[] | undefined,
  log: Pick<CallLog, 'whenCleared'>,
): FaultPlan {
  if (rules === undefined) return () => undefined;
  let read = rules.map(readRule);
  log.whenCleared.push(() => {
    read = rules.map(readRule);
  });
  return ({ headers, url, method }) => {
    const value = headers[faultHeader] ?? '';
    if (value === '') return read.find((rule) => rule.applies(method, url.split('?')[0] ?? ''))?.faults;
    try {
      return readFaults(value);
    } catch (cause) {
      const message = `The header ${faultHeader}: ${(cause as Error).message}`;
      throw new Refusal('rule', { message, cause });
    }
  };
}

/**
 * The rules in the values of `--fault`. A value is a rule, `@file` for a file with one rule per line, or `on`, which
 * adds no rule: only the header causes faults then.
 *
 * @throws Error with a message for a person, which names the rule, and its file and line
 */
export function readFaultOption(values: readonly string[]): string[] {
  return values.flatMap((value) => {
    if (value === 'on') return [];
    if (!value.startsWith('@')) return [checked(value, '--fault')];
    const file = value.slice(1);
    return readLines(file).flatMap((line, index) => {
      const rule = line.replace(/#.*$/, '').trim();
      return rule === '' ? [] : [checked(rule, `${file}, line ${index + 1}`)];
    });
  });
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/);
  } catch (cause) {
    throw new Error(`--fault: the file ${file} cannot be read.`, { cause });
  }
}

function checked(rule: string, where: string): string {
  try {
    readRule(rule);
  } catch (cause) {
    throw new Error(`${where}: ${(cause as Error).message}`, { cause });
  }
  return rule;
}

/** Statuses after which the caller may retry. */
const passing: readonly number[] = [429, 503];

/** @param issues the documented body for the status of a list of issues */
export function faultAnswer(status: number, server: string, issues: unknown): Answer {
  if (issues !== undefined && status === refusalEntry('schema').status) return jsonAnswer(status, issues);
  const headers: Record<string, string> = passing.includes(status) ? { [headerNames.retryAfter]: '1' } : {};
  return jsonAnswer(status, { status, message: `The ${server} was asked to answer ${status}.` }, headers);
}

export function withFaults(
  { body, headers, ...others }: Answer,
  faults: Faults,
  signal: AbortSignal,
): Answer {
  const isEvents = headers['content-type'] === mediaTypes.eventStream;
  const pieces = body === undefined || isBytes(body) ? [body ?? new Uint8Array(0)] : body;
  return {
    ...others,
    headers: { ...headers, ...(faults.mediaType === undefined ? {} : { 'content-type': faults.mediaType }) },
    body: misbehave(pieces, faults, { isEvents, signal }),
  };
}

/** Time between two drips. */
const dripMilliseconds = 50;

/**
 * The pieces of a body as its faults let them leave.
 *
 * @param isEvents whether each piece is one event of a stream
 * @throws CutOnPurpose where the body is cut
 */
async function* misbehave(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  faults: Faults,
  { isEvents, signal }: { readonly isEvents: boolean; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const {
    cutAfterBytes: cut = Number.POSITIVE_INFINITY,
    dripBytesPerSecond: rate,
    paceMilliseconds,
  } = faults;
  let number = 0;
  let sent = 0;
  for await (const piece of pieces) {
    number += 1;
    if (number > 1 && paceMilliseconds !== undefined) await sleep(paceMilliseconds, undefined, { signal });
    const bytes = malformed(piece, number, faults, isEvents);
    const part = bytes.subarray(0, cut - sent);
    const step = rate === undefined ? part.length : Math.max(1, Math.floor((rate * dripMilliseconds) / 1000));
    for (let start = 0; start < part.length; start += step) {
      const drop = part.subarray(start, start + step);
      yield drop;
      if (rate !== undefined) await sleep((drop.length / rate) * 1000, undefined, { signal });
    }
    sent += part.length;
    if (sent >= cut) throw new CutOnPurpose();
  }
  // A body without any byte is cut too.
  if (cut === 0) throw new CutOnPurpose();
}

function malformed(piece: Uint8Array, number: number, faults: Faults, isEvents: boolean): Uint8Array {
  const half = piece.subarray(0, Math.ceil(piece.length / 2));
  if (faults.malformed && number === 1) {
    return Buffer.concat([half, Buffer.alloc(piece.length - half.length, '?')]);
  }
  return isEvents && faults.malformedEvent === number ? Buffer.concat([half, Buffer.from('\n\n')]) : piece;
}
