import { isJsonType, isTextType, mediaTypeOf } from '../answer/media-type.ts';
import { CannotJudge } from '../command/failures.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Headers, HttpExchange, RecordedRequest, RecordedResponse } from '../exchange/http-exchange.ts';
import type { LiveExchange, LiveMessage } from '../exchange/live-exchange.ts';
import { asObject, isObject, type JsonObject } from '../specification/document.ts';
import { findOperation } from '../specification/operations.ts';

/** What a HAR file holds for the judge. */
export interface ReadHar {
  readonly exchanges: readonly Exchange[];
  /** Entries of other services, and those that got no answer. */
  readonly ignored: number;
}

/**
 * Reads the HTTP Archive format, 1.2, as browsers and proxies write it.
 *
 * @throws CannotJudge when an entry lacks what the format requires; it says which
 */
export function readHar(har: JsonObject, file: string): ReadHar {
  const entries = asObject(har.log).entries;
  if (!Array.isArray(entries)) throw new CannotJudge(`${file}: a HAR file needs log.entries.`);
  const exchanges = entries.flatMap((entry, index) => readEntry(asObject(entry), index, file) ?? []);
  return { exchanges, ignored: entries.length - exchanges.length };
}

function readEntry(entry: JsonObject, index: number, file: string): Exchange | undefined {
  const { request, response } = entry;
  if (!isObject(request) || typeof request.method !== 'string' || typeof request.url !== 'string') {
    throw new CannotJudge(`${file}: log.entries[${index}] needs a request with method and url.`);
  }
  if (!isObject(response) || typeof response.status !== 'number') {
    throw new CannotJudge(`${file}: log.entries[${index}] needs a response with a status.`);
  }
  const url = request.url.replace(/^ws/, 'http');
  const operation = findOperation(request.method, url);
  // A status of 0 stands for no answer at all: blocked, or given up.
  if (operation === undefined || response.status === 0) return undefined;
  const name = `${file}, entry ${index + 1}: ${request.method} ${new URL(url).pathname}`;
  const asked = readRequest(request, url);
  const answered = readResponse(response);
  if (operation.id !== 'openLiveSession') {
    return {
      kind: 'http',
      name,
      operationId: operation.id,
      request: asked,
      response: answered,
      source: { file },
    };
  }
  return readLive(entry, name, file, asked, answered);
}

function readRequest(request: JsonObject, url: string): RecordedRequest {
  const headers = readHeaders(request.headers);
  const body = readPosted(asObject(request.postData));
  return { method: String(request.method), url, headers, ...(body !== undefined && { body }) };
}

/** The bytes of a request; `undefined` when the recording holds only what a text field could keep of them. */
function readPosted({ text, mimeType, encoding, _encoding }: JsonObject): Uint8Array | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  if (encoding === 'base64' || _encoding === 'base64') return Buffer.from(text, 'base64');
  const mediaType = mediaTypeOf(typeof mimeType === 'string' ? mimeType : undefined) ?? '';
  const isText =
    isJsonType(mediaType) || isTextType(mediaType) || mediaType === 'application/x-www-form-urlencoded';
  return isText ? Buffer.from(text) : undefined;
}

function readResponse(response: JsonObject): RecordedResponse {
  const headers = readHeaders(response.headers);
  const content = asObject(response.content);
  const mediaType =
    mediaTypeOf(headers['content-type'] ?? (typeof content.mimeType === 'string' ? content.mimeType : '')) ??
    '';
  const version = /^(?:HTTP\/|h)([\d.]+)/i.exec(String(response.httpVersion ?? ''))?.[1];
  const body = readContent(content, mediaType);
  return {
    status: Number(response.status),
    headers,
    body: body ?? new Uint8Array(),
    ...(body === undefined && { isBodyMissing: true }),
    // Browsers leave out the headers of the connection, so that a missing one says nothing; HTTP/2 has none of them.
    ...(version !== undefined && headers['transfer-encoding'] !== undefined && { httpVersion: version }),
    ended: 'complete',
  };
}

/** The bytes of an answer; `undefined` where they were not kept, or as text that bytes do not survive. */
function readContent({ text, encoding, size }: JsonObject, mediaType: string): Uint8Array | undefined {
  if (typeof text !== 'string') return size === 0 || size === -1 ? new Uint8Array() : undefined;
  if (encoding === 'base64') return Buffer.from(text, 'base64');
  return text === '' || isJsonType(mediaType) || isTextType(mediaType) || mediaType === ''
    ? Buffer.from(text)
    : undefined;
}

function readHeaders(list: unknown): Headers {
  const headers = new Map<string, string>();
  for (const header of Array.isArray(list) ? list : []) {
    const { name, value } = asObject(header);
    if (typeof name !== 'string' || typeof value !== 'string') continue;
    const key = name.toLowerCase();
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

/** Chromium keeps the frames of a socket beside its entry: opcode 1 is text, 2 is binary in base64. */
function readLive(
  entry: JsonObject,
  name: string,
  file: string,
  request: HttpExchange['request'],
  response: RecordedResponse,
): LiveExchange {
  const frames = Array.isArray(entry._webSocketMessages) ? entry._webSocketMessages.map(asObject) : [];
  const begin = Date.parse(String(entry.startedDateTime)) / 1000;
  const messages = frames
    .filter(({ data, opcode }) => typeof data === 'string' && (opcode === 1 || opcode === 2))
    .map(
      ({ type, time, opcode, data }): LiveMessage => ({
        direction: type === 'send' ? 'sent' : 'received',
        atMs: Math.max(0, Math.round((Number(time) - begin) * 1000)) || 0,
        frame: opcode === 2 ? 'binary' : 'text',
        bytes: Buffer.from(String(data), opcode === 2 ? 'base64' : 'utf8'),
      }),
    );
  return {
    kind: 'live',
    name,
    operationId: 'openLiveSession',
    upgrade: { request: { method: 'GET', url: request.url, headers: request.headers }, response },
    messages,
    source: { file },
  };
}
