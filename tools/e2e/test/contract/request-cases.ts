import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { arbitraryOf } from './arbitrary-of.ts';
import type { SentRequest } from './prism.ts';
import { type Operation, operations, type Schema } from './specification.ts';

/** A request as it stood in front of two validators. */
export interface RequestCase {
  readonly operation: Operation;
  readonly request: SentRequest;
  /** Change made to a request that the schemas allow, and its place: `body /tags/* set null`. */
  readonly deed: string;
  /** Media type of the body; empty when there is none. */
  readonly type: string;
}

interface Parts {
  readonly operation: Operation;
  readonly type: string;
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

type Change =
  | { readonly do: 'nothing' }
  | {
      readonly do: 'remove' | 'set' | 'add';
      readonly in: 'headers' | 'query' | 'body';
      readonly at: number;
      readonly value: unknown;
    };

/** Values that a field can be replaced by: one of each kind, and the borders of the ranges that exist. */
const strangers = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  101,
  1e9,
  '',
  ' ',
  'x',
  '1',
  '0.5',
  'true',
  'null',
  'mp3',
  [],
  ['x'],
  [[]],
  [null],
  {},
  { x: 1 },
];

/** Requests that the schemas allow, and ones with a single thing changed, of every operation over HTTP. */
export const requestCases: fc.Arbitrary<Promise<RequestCase>> = fc
  // Operations that take a body or filters have more to get wrong.
  .oneof(
    ...operations.map((operation) => ({
      arbitrary: fc.constant(operation),
      weight: 1 + 2 * Object.keys(operation.bodies).length + Object.keys(operation.query).length,
    })),
  )
  .chain((operation) => fc.tuple(partsOf(operation), changeOf()))
  .map(async ([parts, change]) => await write(parts, change));

function partsOf(operation: Operation): fc.Arbitrary<Parts> {
  const types = Object.keys(operation.bodies);
  return fc.constantFrom(...(types.length > 0 ? types : [''])).chain((type) =>
    fc.record({
      operation: fc.constant(operation),
      type: fc.constant(type),
      id: fc.stringMatching(/^[\w-]{1,12}$/),
      headers: operation.path.startsWith('/v1/tts')
        ? fc.record({ model: fc.constantFrom('s1', 's2-pro', 's2.1-pro', 'tomorrows') })
        : fc.constant({}),
      query:
        Object.keys(operation.query).length === 0
          ? fc.constant({})
          : arbitraryOf({ type: 'object', properties: operation.query }, 'as base64'),
      body: arbitraryOf(
        operation.bodies[type] ?? ({} as Schema),
        type === 'application/json' ? 'as base64' : 'as bytes',
      ),
    }),
  );
}

function changeOf(): fc.Arbitrary<Change> {
  const places = fc.constantFrom(
    'body' as const,
    'body' as const,
    'body' as const,
    'query' as const,
    'headers' as const,
  );
  const change = fc.record({
    do: fc.constantFrom('remove' as const, 'set' as const, 'set' as const, 'add' as const),
    in: places,
    at: fc.nat(1000),
    value: fc.constantFrom(...strangers),
  });
  return fc.oneof(
    { arbitrary: fc.constant({ do: 'nothing' as const }), weight: 1 },
    { arbitrary: change, weight: 3 },
  );
}

async function write(parts: Parts, change: Change): Promise<RequestCase> {
  const { operation, type, id } = parts;
  const whole = { headers: parts.headers, query: parts.query, body: await plain(parts.body) };
  const { changed, deed } = apply(whole, change);
  const headers = new Headers();
  for (const [name, value] of Object.entries(changed.headers as object)) headers.set(name, String(value));
  const url = new URL(`http://speech.test${operation.path.replace(/\{\w+\}/, id)}`);
  for (const [name, value] of pairsOf(changed.query)) url.searchParams.append(name, String(value));
  const body = type === '' ? new Uint8Array() : await encodeBody(type, changed.body, headers);
  return { operation, type, deed, request: { method: operation.method.toUpperCase(), url, headers, body } };
}

/** Bytes of every kind as `Uint8Array`, so that they can be written in every encoding. */
async function plain(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return new Uint8Array(await value.arrayBuffer());
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (Array.isArray(value)) return await Promise.all(value.map(plain));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    await Promise.all(entries.map(async ([name, inner]) => [name, await plain(inner)])),
  );
}

interface Whole {
  readonly headers: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

function apply(whole: Whole, change: Change): { changed: Whole; deed: string } {
  if (change.do === 'nothing') return { changed: whole, deed: 'nothing' };
  const places = [...placesOf(whole[change.in])].filter(
    (place) => change.do !== 'add' || isRecord(valueAt(whole[change.in], place)),
  );
  // Of the headers and the query the whole cannot be another thing.
  const able =
    change.do === 'add' ? places : places.filter((place) => change.in === 'body' || place.length > 0);
  const place = able[change.at % Math.max(able.length, 1)];
  if (!place) return { changed: whole, deed: 'nothing' };
  const path = change.do === 'add' ? [...place, 'extra'] : place;
  const part = changeAt(whole[change.in], path, change.do === 'remove' ? undefined : change.value);
  const where = path.map((name) => (typeof name === 'number' ? '*' : name)).join('/');
  const deed = change.do === 'set' ? `set ${kindOf(change.value)}` : change.do;
  return { changed: { ...whole, [change.in]: part }, deed: `${change.in} /${where} ${deed}` };
}

type Path = readonly (string | number)[];

function* placesOf(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* placesOf(item, [...path, index]);
  else if (isRecord(value)) {
    for (const [name, item] of Object.entries(value)) yield* placesOf(item, [...path, name]);
  }
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((holder, name) => (holder as Record<string | number, unknown>)[name], value);
}

function changeAt(value: unknown, [name, ...rest]: Path, next: unknown): unknown {
  if (name === undefined) return next;
  if (Array.isArray(value)) {
    const index = Number(name);
    if (rest.length === 0 && next === undefined) return value.toSpliced(index, 1);
    return value.with(index, changeAt(value[index], rest, next));
  }
  const holder = value as Record<string, unknown>;
  const { [String(name)]: old, ...others } = holder;
  const inner = changeAt(old, rest, next);
  return inner === undefined ? others : { ...holder, [String(name)]: inner };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}

function kindOf(value: unknown): string {
  return JSON.stringify(value);
}

function pairsOf(value: unknown): [string, unknown][] {
  return Object.entries(value as object).flatMap(([name, inner]) =>
    (Array.isArray(inner) ? inner : [inner]).map((one): [string, unknown] => [
      name,
      isRecord(one) ? JSON.stringify(one) : one,
    ]),
  );
}

async function encodeBody(type: string, value: unknown, headers: Headers): Promise<Uint8Array<ArrayBuffer>> {
  headers.set('content-type', type);
  if (value === undefined) return new Uint8Array();
  if (type === 'application/json') return new TextEncoder().encode(JSON.stringify(value));
  if (type === 'application/msgpack') return Uint8Array.from(encode(value));
  const pairs = isRecord(value) ? pairsOf(value) : [];
  if (type === 'application/x-www-form-urlencoded') {
    return new TextEncoder().encode(
      new URLSearchParams(pairs.map(([name, one]): [string, string] => [name, String(one)])).toString(),
    );
  }
  const form = new FormData();
  for (const [name, one] of pairs) {
    if (one instanceof Uint8Array) form.append(name, new Blob([Uint8Array.from(one)]), 'file');
    else form.append(name, String(one));
  }
  const written = new Response(form);
  headers.set('content-type', written.headers.get('content-type') ?? '');
  return new Uint8Array(await written.arrayBuffer());
}
