import { decode } from '@msgpack/msgpack';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { validateInput } from '@stoplight/prism-http/dist/validator/index.js';
import { document, type Operation, type Schema } from './specification.ts';

export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

type Resource = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

const resources = await getHttpOperationsFromSpec(document.root);

// Prism reads neither MessagePack nor repeated form parts; it gets the decoded values under this type.
const decodedType = 'application/x-decoded';

/** Complaints of Prism's validators about a request of the operation; empty if they accept it. */
export async function complaintsOf(operation: Operation, request: SentRequest): Promise<string[]> {
  const match = resources.find(({ path, method }) => path === operation.path && method === operation.method);
  if (!match) throw new Error(`Prism does not know ${operation.operationId}`);
  const type = (request.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const schema = operation.bodies[type];
  const headers: Record<string, string> = Object.fromEntries(request.headers);
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(request.url.searchParams.keys())) {
    const values = request.url.searchParams.getAll(name);
    query[name] = values.length > 1 ? values : (values[0] ?? '');
  }
  let resource = match;
  let body: unknown;
  if (request.body.length > 0) {
    if (!schema) return [`the operation has no body of the type ${type}`];
    body = await decodeBody(type, request, schema);
    resource = underDecodedType(match, type);
    headers['content-type'] = decodedType;
    headers['content-length'] = String(request.body.length);
  }
  const element = {
    method: operation.method,
    url: { path: request.url.pathname, query },
    headers,
    body,
  } as never;
  const outcome = validateInput({ resource: resource as never, element }) as Outcome;
  if (outcome._tag === 'Right') return [];
  return outcome.left.map(({ path = [], message }) => `${path.join('.')}: ${message}`);
}

interface Outcome {
  readonly _tag: 'Left' | 'Right';
  readonly left: readonly { readonly path?: readonly string[]; readonly message: string }[];
}

function underDecodedType(resource: Resource, type: string): Resource {
  const copy = { ...resource } as { request?: { body?: { contents?: { mediaType: string }[] } } };
  const contents = (copy.request?.body?.contents ?? [])
    .filter(({ mediaType }) => mediaType === type)
    .map((content) => ({ ...content, mediaType: decodedType, encodings: [] }));
  copy.request = { ...copy.request, body: { ...copy.request?.body, contents } };
  return copy as Resource;
}

async function decodeBody(type: string, { body, headers }: SentRequest, schema: Schema): Promise<unknown> {
  if (type === 'application/json') return JSON.parse(new TextDecoder().decode(body));
  if (type === 'application/msgpack') return withoutBytes(decode(body));
  const form =
    type === 'multipart/form-data'
      ? await new Response(body, {
          headers: { 'content-type': headers.get('content-type') ?? '' },
        }).formData()
      : new URLSearchParams(new TextDecoder().decode(body));
  const fields: Record<string, unknown> = {};
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name).map((value) => (typeof value === 'string' ? value : '(file)'));
    fields[name] = readField(values, Object.fromEntries(document.properties(schema))[name]);
  }
  return fields;
}

/** Form fields are text; the schema defines their meaning. */
function readField(values: string[], schema: Schema | undefined): unknown {
  if (schema?.type === 'array') return values;
  const types = [schema, ...(schema?.anyOf ?? [])].flatMap((branch) => branch?.type ?? []);
  const [value = ''] = values;
  if (values.length > 1) return values;
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true';
  const isNumber = types.includes('number') ? /^-?\d+(\.\d+)?(e[-+]?\d+)?$/ : /^-?\d+$/;
  const isNumeric = types.includes('number') || types.includes('integer');
  return isNumeric && isNumber.test(value) ? Number(value) : value;
}

function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutBytes(inner)]));
}
