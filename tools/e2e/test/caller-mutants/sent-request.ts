import { decode, encode } from '@msgpack/msgpack';
import { createSpeechClient, type SpeechClient } from '@speech-api/client';

/** A request of the client as it would have gone out, its body decoded so that a mutant can change it. */
export interface SentRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: SentBody;
}

export type SentBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json' | 'msgpack'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'form'; readonly entries: readonly (readonly [string, string | File])[] }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> };

class NotSent extends Error {}

/** What the client sends for a call. The call itself fails, since nobody answers. */
export async function capture(call: (client: SpeechClient) => PromiseLike<unknown>): Promise<SentRequest> {
  let sent: SentRequest | undefined;
  const client = createSpeechClient({
    apiKey: 'any-key',
    baseUrl: 'http://speech.test',
    retry: { retries: 0 },
    fetch: async (input, init) => {
      sent = await read(new Request(input, init));
      throw new NotSent();
    },
  });
  await Promise.resolve(call(client)).then(undefined, () => {});
  if (sent === undefined) throw new Error('the client sent nothing');
  return sent;
}

async function read(request: Request): Promise<SentRequest> {
  const { pathname, search } = new URL(request.url);
  const headers = Object.fromEntries(request.headers);
  const type = headers['content-type'] ?? '';
  const body = await readBody(request, type);
  // A form gets its boundary when it is sent again.
  if (body.kind === 'form') delete headers['content-type'];
  return { method: request.method, path: pathname + search, headers, body };
}

async function readBody(request: Request, type: string): Promise<SentBody> {
  if (type.startsWith('multipart/'))
    return { kind: 'form', entries: [...(await request.formData()).entries()] };
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length === 0) return { kind: 'none' };
  const value = type === 'application/msgpack' ? decode(bytes) : JSON.parse(new TextDecoder().decode(bytes));
  return { kind: type === 'application/msgpack' ? 'msgpack' : 'json', value };
}

/** Sends a request as it is by now. */
export function send(url: string, { method, path, headers, body }: SentRequest): Promise<Response> {
  const payload = encodeBody(body);
  return fetch(url + path, { method, headers, ...(payload === undefined ? {} : { body: payload }) });
}

export function encodeBody(body: SentBody): FormData | string | Uint8Array<ArrayBuffer> | undefined {
  switch (body.kind) {
    case 'none':
      return undefined;
    case 'json':
      return JSON.stringify(body.value);
    case 'msgpack':
      return encode(body.value, { ignoreUndefined: true }) as Uint8Array<ArrayBuffer>;
    case 'bytes':
      return body.bytes;
    case 'form': {
      const form = new FormData();
      for (const [name, value] of body.entries) form.append(name, value);
      return form;
    }
  }
}
