import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CannotJudge } from '../errors.ts';
import {
  type Exchange,
  type Headers,
  type HttpExchange,
  type LiveExchange,
  type LiveMessage,
  type RecordedRequest,
  type RecordedResponse,
  responseOf,
  type Source,
} from '../exchange.ts';
import { nobody } from '../key.ts';
import { endOfHar } from '../record.ts';
import { asObject, findOperation, isObject, type JsonObject, objectAt } from '../specification/document.ts';
import { isJsonType, isTextType, mediaTypeOf } from '../subjects/answer.ts';
import { toolName } from '../tool.ts';

/** Contents of a file that the judge can use. */
interface Recording {
  readonly exchanges: readonly Exchange[];
  /** Entries of other services. */
  readonly ignored: number;
  /** True if `speech-contract record` made the file; it leaves nothing of a request out. */
  readonly isOurs: boolean;
  /** Answers and bodies that the recording lacks, or has only in part. */
  readonly gaps: number;
}

/**
 * Reads recorded traffic: a HAR file, or a transcript of the spec.
 *
 * @param base the address below which entries count; by default that of the first call with a key
 * @throws CannotJudge when a file is neither, or can't be read
 */
export async function readRecording(file: string, base?: string): Promise<Recording> {
  const text = await readText(file);
  if (text.trim() === '') throw new CannotJudge(`${file}: it is empty.`);
  if (isTranscript(text))
    return { exchanges: [readTranscript(text, file)], ignored: 0, gaps: 0, isOurs: false };
  let value: unknown;
  try {
    value = parse(text.replace(/^\ufeff/, '')) ?? JSON.parse(untilEnd(text));
  } catch (error) {
    const why = (error as Error).message.replace(/\s+/g, ' ').slice(0, 120);
    throw new CannotJudge(`${file}: it is neither a HAR file nor a transcript; it is not JSON: ${why}`);
  }
  if (!isObject(value) || !isObject(value.log)) {
    throw new CannotJudge(
      `${file}: it is neither a HAR file (no "log") nor a transcript (no "transcript" in its first line).`,
    );
  }
  return await readHar(value, file, base);
}

/** A recorder that was killed may leave the beginning of an entry behind the end of the others. */
function untilEnd(text: string): string {
  const end = text.indexOf(endOfHar);
  return end < 0 ? text : text.slice(0, end + endOfHar.length);
}

async function readText(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: Error) => {
    throw new CannotJudge(`${resolve(file)} can't be read: ${error.message}`);
  });
}

/**
 * Reads the HTTP Archive format, 1.2, as browsers and proxies write it.
 *
 * @throws CannotJudge when an entry lacks what the format requires; it says which
 */
async function readHar(har: JsonObject, file: string, givenBase: string | undefined): Promise<Recording> {
  const list = asObject(har.log).entries;
  if (!Array.isArray(list)) throw new CannotJudge(`${file}: a HAR file needs log.entries.`);
  const entries = list.map((entry, index) => headOf(asObject(entry), index, file));
  const keyed = entries.find(
    ({ operation, request }) => operation && 'authorization' in readHeaders(request.headers),
  );
  const base = givenBase ?? (keyed && baseOf(keyed));
  const calls = entries.filter(
    (call) => call.operation !== undefined && (base === undefined || baseOf(call) === base),
  );
  let gaps = 0;
  const exchanges: Exchange[] = [];
  for (const call of calls) {
    const exchange = await readEntry(call, file);
    if (exchange === undefined || responseOf(exchange).isBodyMissing === true) gaps += 1;
    if (exchange !== undefined) exchanges.push(exchange);
    if (exchange !== undefined && lacksRequestBody(call, exchange)) gaps += 1;
  }
  const isOurs = objectAt(har.log, 'creator').name === toolName;
  return { exchanges, ignored: entries.length - calls.length, gaps, isOurs };
}

/** An entry before its bodies are read. */
type Entry = ReturnType<typeof headOf>;

function headOf(entry: JsonObject, index: number, file: string) {
  const { request, response } = entry;
  if (!isObject(request) || typeof request.method !== 'string' || typeof request.url !== 'string') {
    throw new CannotJudge(`${file}: log.entries[${index}] needs a request with method and url.`);
  }
  if (!isObject(response) || typeof response.status !== 'number') {
    throw new CannotJudge(`${file}: log.entries[${index}] needs a response with a status.`);
  }
  const url = request.url.replace(/^ws/, 'http');
  return { entry, index, request, response, url, operation: findOperation(request.method, url) };
}

/** The address below which the path of the operation begins. */
function baseOf({ url, operation }: Entry): string {
  const { origin, pathname } = new URL(url);
  const depth = (operation?.path.split('/').length ?? 1) - 1;
  return origin + pathname.replace(/\/$/, '').split('/').slice(0, -depth).join('/');
}

/** `undefined` where there was no answer: the request was blocked or aborted (0, -1), or its answer was in a cache (304). */
async function readEntry({ entry, index, request, response, url, operation }: Entry, file: string) {
  const status = Number(response.status);
  if (operation === undefined || status <= 0 || status === 304) return undefined;
  const name = `${file}, entry ${index + 1}: ${request.method} ${new URL(url).pathname}`;
  const call = {
    name,
    request: await readRequest(request, url, file),
    response: await readResponse(response, file),
    source: { file },
  };
  return operation.id === 'openLiveSession'
    ? readLive(entry, call)
    : ({ kind: 'http', operationId: operation.id, ...call } as const);
}

async function readRequest(request: JsonObject, url: string, file: string): Promise<RecordedRequest> {
  const headers = readHeaders(request.headers);
  const body = await readPosted(asObject(request.postData), file);
  return { method: String(request.method), url, headers, ...(body !== undefined && { body }) };
}

/** The bytes of a request; `undefined` when the recording holds only what a text field could keep of them. */
async function readPosted(
  { text, mimeType, encoding, _encoding, _file }: JsonObject,
  file: string,
): Promise<Uint8Array | undefined> {
  if (typeof _file === 'string') return await readBeside(file, _file);
  if (typeof text !== 'string' || text === '') return undefined;
  if (encoding === 'base64' || _encoding === 'base64') return Buffer.from(text, 'base64');
  const mediaType = mediaTypeOf(typeof mimeType === 'string' ? mimeType : undefined) ?? '';
  const isText =
    isJsonType(mediaType) || isTextType(mediaType) || mediaType === 'application/x-www-form-urlencoded';
  return isText ? Buffer.from(text) : undefined;
}

async function readResponse(response: JsonObject, file: string): Promise<RecordedResponse> {
  const headers = readHeaders(response.headers);
  const content = asObject(response.content);
  const mimeType = typeof content.mimeType === 'string' ? content.mimeType : '';
  const mediaType = mediaTypeOf(headers['content-type'] ?? mimeType) ?? '';
  const version = /^(?:HTTP\/|h)([\d.]+)/i.exec(String(response.httpVersion ?? ''))?.[1];
  // Browsers mark a stopped body like this.
  const wasStopped = typeof response._error === 'string' || typeof response._failureText === 'string';
  const isOpened = response.status === 101;
  const body = isOpened
    ? new Uint8Array()
    : wasStopped
      ? undefined
      : await readContent(content, mediaType, headers, file);
  return {
    status: Number(response.status),
    headers,
    body: body ?? new Uint8Array(),
    ...(body === undefined && { isBodyMissing: true }),
    // Browsers omit the headers of the connection, so a missing one proves nothing; HTTP/2 has none of them.
    ...(version !== undefined && headers['transfer-encoding'] !== undefined && { httpVersion: version }),
    ended: response._ended === 'cut' ? 'cut' : 'complete',
  };
}

/** The bytes of an answer; `undefined` if they were not kept, were cut, or were stored as text that does not preserve them. */
async function readContent(
  { text, encoding, size, _file }: JsonObject,
  mediaType: string,
  headers: Headers,
  file: string,
): Promise<Uint8Array | undefined> {
  if (typeof _file === 'string') return await readBeside(file, _file);
  if (typeof text !== 'string')
    return size === 0 || headers['content-length'] === '0' ? new Uint8Array() : undefined;
  const isText = text === '' || isJsonType(mediaType) || isTextType(mediaType) || mediaType === '';
  if (encoding !== 'base64' && !isText) return undefined;
  const body = encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(text);
  // Firefox keeps one mebibyte of a body; of the rest only the size is known.
  const length = headers['content-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 0;
  return body.length < Math.max(Number(size ?? 0), length) ? undefined : body;
}

/** Playwright writes bodies beside the recording. */
async function readBeside(file: string, name: string): Promise<Uint8Array | undefined> {
  return await readFile(join(dirname(file), basename(name))).catch(() => undefined);
}

/** A recorder that kept nothing of a body that this call was sent with leaves its request unjudged. */
function lacksRequestBody({ request, operation }: Entry, exchange: Exchange): boolean {
  if (exchange.kind === 'live' || exchange.request.body !== undefined) return false;
  const { bodySize, postData } = request;
  const isSent = Number(bodySize ?? 0) > 0 || isObject(postData);
  return isSent && (operation?.requestMediaTypes.length ?? 0) > 0;
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
  { _webSocketMessages: frames, _webSocketClose: closed }: JsonObject,
  { name, request, response, source }: Omit<HttpExchange, 'kind'> & { readonly source: Source },
): LiveExchange {
  const messages = (Array.isArray(frames) ? frames.map(asObject) : [])
    .filter(({ data, opcode }) => typeof data === 'string' && (opcode === 1 || opcode === 2))
    .map(
      ({ type, opcode, data }): LiveMessage => ({
        direction: type === 'send' ? 'sent' : 'received',
        frame: opcode === 2 ? 'binary' : 'text',
        bytes: Buffer.from(String(data), opcode === 2 ? 'base64' : 'utf8'),
      }),
    );
  const { url, headers } = request;
  const upgrade = { request: { method: 'GET' as const, url, headers }, response };
  const session = { kind: 'live', name, operationId: 'openLiveSession', upgrade, messages, source } as const;
  // Our own recorder notes which side closed, and how.
  if (!isObject(closed)) return session;
  const by = closed.by === 'server' || closed.by === 'client' ? closed.by : 'nobody';
  const close = { code: Number(closed.code), reason: String(closed.reason), by } as const;
  return { ...session, close, clientLeft: by !== 'server' };
}

/** True if text is a transcript, judging by its first line. */
function isTranscript(text: string): boolean {
  const end = text.indexOf('\n');
  const first = parse(end < 0 ? text : text.slice(0, end));
  return isObject(first) && 'transcript' in first;
}

/**
 * Reads the transcript format of the spec: an opening, pieces of the body, an ending, each a line of JSON.
 *
 * @throws CannotJudge when one of these is missing
 */
function readTranscript(text: string, file: string): HttpExchange {
  const lines = text.trimEnd().split('\n').map(parse);
  const { transcript, about, request, status, headers } = asObject(lines[0]);
  const { method, path, headers: sentHeaders, ...sent } = asObject(request);
  const { end } = asObject(lines.at(-1));
  const isWhole = transcript === 1 && typeof method === 'string' && typeof path === 'string';
  if (!isWhole || typeof status !== 'number' || !isHeaders(headers) || end === undefined)
    throw new CannotJudge(`${file}: it is not a whole transcript of version 1.`);
  // A piece is [milliseconds, base64].
  const pieces = lines.slice(1, -1).map((piece) => Buffer.from(String([piece].flat()[1]), 'base64'));
  return {
    kind: 'http',
    name: typeof about === 'string' ? `${file}: ${about}` : file,
    request: {
      method,
      url: `${nobody}${path}`,
      headers: isHeaders(sentHeaders) ? sentHeaders : {},
      ...('body' in sent && { decoded: sent.body }),
    },
    response: { status, headers, body: Buffer.concat(pieces), ended: end === 'clean' ? 'complete' : 'cut' },
    source: { file, line: 1 },
  };
}

function isHeaders(value: unknown): value is Headers {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
