import type { IncomingMessage } from 'node:http';
import type { ReceivedCall } from '@speech-api/server';
import { validateInput } from '@stoplight/prism-http/dist/validator/index.js';
import { type PrismOperation, prismOperation } from './operations.ts';

/** What Prism's validators have against a request. */
export interface Complaint {
  readonly path: readonly string[];
  readonly message: string;
}

/** Prism reads neither MessagePack nor repeated parts of a form: it is given what they decode to, under this type. */
const decodedType = 'application/x-decoded';
/** What stands for a header that is empty: Prism takes it for one that is not there. */
const emptyHeader = '-';
/** What stands for bytes: their schemas describe base64. */
const anyBinary = 'AA==';

/**
 * Judges a request that was found good a second time, by Prism. The two were written apart from each other; where they
 * disagree one of them is wrong.
 */
export function secondOpinion(request: IncomingMessage, call: ReceivedCall): Complaint[] {
  const { search, pathname } = new URL(request.url ?? '/', 'http://mock');
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const operation = prismOperation(call.operation.id);
  const hasBody = call.body !== undefined;
  const element = {
    method: operation.method,
    url: { path: pathname, query: queryOf(new URLSearchParams(search)) },
    headers: {
      ...headersOf(request),
      ...(hasBody ? { 'content-type': decodedType, 'content-length': '1' } : {}),
    },
    body: hasBody ? withoutBytes(call.body) : undefined,
  };
  const resource = hasBody ? underDecodedType(operation, mediaType) : operation;
  const outcome = validateInput({ resource, element } as unknown as Parameters<typeof validateInput>[0]);
  if (outcome._tag === 'Right') return [];
  return outcome.left.map(({ path = [], message }) => ({ path: path.map(String), message }));
}

function queryOf(query: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const [first = '', ...others] = query.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

function headersOf(request: IncomingMessage): Record<string, string> {
  const {
    'content-type': _type,
    'content-length': _length,
    'transfer-encoding': _coding,
    ...rest
  } = request.headers;
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, [value].flat().join(', ') || emptyHeader]),
  );
}

const decoded = new Map<string, PrismOperation>();

/** The operation as if the body of this media type came under the type of decoded ones. */
function underDecodedType(operation: PrismOperation, mediaType: string): PrismOperation {
  const key = `${operation.iid} ${mediaType}`;
  const known = decoded.get(key);
  if (known !== undefined) return known;
  const { request } = operation;
  const contents = (request?.body?.contents ?? [])
    .filter((content) => content.mediaType === mediaType)
    .map((content) => ({ ...content, mediaType: decodedType, encodings: [] }));
  const copy = {
    ...operation,
    request: { ...request, body: { ...request?.body, contents } },
  } as PrismOperation;
  if (contents.length > 0) decoded.set(key, copy);
  return copy;
}

function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return anyBinary;
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutBytes(inner)]));
}
