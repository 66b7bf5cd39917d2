import { encodeBody, type SentRequest } from './sent-request.ts';

/** Changes a good request into one that the specification does not allow. */
export type Mutation = (request: SentRequest) => SentRequest;

/** A header with another value, or without any. */
export const header =
  (name: string, value?: string): Mutation =>
  (request) => {
    const { [name]: _, ...rest } = request.headers;
    return { ...request, headers: value === undefined ? rest : { ...rest, [name]: value } };
  };

/** Another method or path; `path` may be told from the one before. */
export const address =
  (method: string | undefined, path: (path: string) => string = (same) => same): Mutation =>
  (request) => ({ ...request, method: method ?? request.method, path: path(request.path) });

/** Something more in the query. */
export const query = (part: string): Mutation =>
  address(undefined, (path) => `${path}${path.includes('?') ? '&' : '?'}${part}`);

/** A field of a JSON or MessagePack body with another value; without one it is left out. */
export const field =
  (name: string, value?: unknown): Mutation =>
  (request) => {
    const { body } = request;
    if (body.kind !== 'json' && body.kind !== 'msgpack')
      throw new Error(`${name} is no field of a ${body.kind}`);
    const { [name]: _, ...rest } = body.value;
    return { ...request, body: { ...body, value: value === undefined ? rest : { ...rest, [name]: value } } };
  };

/** A field under another name. */
export const renamed =
  (name: string, given: string): Mutation =>
  (request) => {
    const { body } = request;
    if (body.kind === 'form') {
      const entries = body.entries.map(([each, value]) => [each === name ? given : each, value] as const);
      return { ...request, body: { ...body, entries } };
    }
    if (body.kind !== 'json' && body.kind !== 'msgpack')
      throw new Error(`${name} is no field of a ${body.kind}`);
    return field(given, body.value[name])(field(name)(request));
  };

/** The parts of a form of this name replaced by these. */
export const part =
  (name: string, ...values: readonly (string | File)[]): Mutation =>
  (request) => {
    const { body } = request;
    if (body.kind !== 'form') throw new Error(`${name} is no part of a ${body.kind}`);
    const others = body.entries.filter(([each]) => each !== name);
    return {
      ...request,
      body: { ...body, entries: [...others, ...values.map((value) => [name, value] as const)] },
    };
  };

/** The encoded body with other bytes. */
export const bytes =
  (change: (bytes: Uint8Array) => Uint8Array): Mutation =>
  (request) => {
    const encoded = encodeBody(request.body);
    if (encoded === undefined || encoded instanceof FormData) throw new Error('there are no bytes to change');
    const given = typeof encoded === 'string' ? new TextEncoder().encode(encoded) : encoded;
    return { ...request, body: { kind: 'bytes', bytes: Uint8Array.from(change(given)) } };
  };

/** One mutation after the other. */
export const both =
  (...mutations: readonly Mutation[]): Mutation =>
  (request) =>
    mutations.reduce((changed, mutation) => mutation(changed), request);
