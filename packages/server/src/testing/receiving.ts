import { Readable } from 'node:stream';
import { createReceiver, type IncomingRequest, type ServerChecks } from '../receive.ts';
import { Refusal } from '../refusal.ts';

/** A request of a test: a synthesis in JSON where it says nothing else. */
export interface Sent {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | object;
}

export const receiver = createReceiver();
export const lenient = createReceiver({ lenient: true });
export const json = { 'content-type': 'application/json', model: 's2-pro' };
export const multipart = { 'content-type': 'multipart/form-data; boundary=xx' };

/** @param body an object becomes JSON */
export function requestOf({
  method = 'POST',
  url = '/v1/tts',
  headers = json,
  body = '',
}: Sent): IncomingRequest {
  const bytes =
    typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body);
  return Object.assign(Readable.from(bytes.length === 0 ? [] : [Buffer.from(bytes)]), {
    method,
    url,
    headers,
  });
}

/** @throws Error when the request is received */
export async function refusalOf(sent: Sent, checks: ServerChecks = {}): Promise<Refusal> {
  const outcome = await receiver.receive(requestOf(sent), checks).catch((error: unknown) => error);
  if (outcome instanceof Refusal) return outcome;
  throw outcome instanceof Error ? outcome : new Error('the request was received');
}

/** Parts of a form, each by its head and content. */
export function formOf(parts: readonly (readonly [head: string, content: string])[]): string {
  const written = parts.map(
    ([head, content]) => `--xx\r\ncontent-disposition: form-data; ${head}\r\n\r\n${content}\r\n`,
  );
  return `${written.join('')}--xx--\r\n`;
}
