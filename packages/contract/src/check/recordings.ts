import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type HarEntry, readHar } from '@speech-api/program/har';
import { CannotJudge } from '../errors.ts';
import {
  type Exchange,
  type Headers,
  type HttpExchange,
  type LiveExchange,
  type LiveMessage,
  type RecordedResponse,
  responseOf,
  type Source,
} from '../exchange.ts';
import { nobody } from '../key.ts';
import { asObject, findOperation, isObject } from '../specification/document.ts';
import { toolName } from '../tool.ts';

/**
 * Reads recorded traffic: a HAR file, or a transcript of the spec.
 *
 * @param base the address below which entries count; by default that of the first call with a key
 * @throws CannotJudge when a file is neither, or can't be read
 */
export async function readRecording(file: string, base?: string) {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CannotJudge(`${resolve(file)} can't be read: ${error.message}`);
  });
  if (text.trim() === '') throw new CannotJudge(`${file}: it is empty.`);
  if (isTranscript(text))
    return { exchanges: [readTranscript(text, file)], ignored: 0, gaps: 0, isOurs: false };
  try {
    return readCalls(readHar(text, file), file, base);
  } catch (error) {
    throw new CannotJudge(`${file}: it is neither a HAR file nor a transcript: ${(error as Error).message}.`);
  }
}

function readCalls(
  { creator, entries }: ReturnType<typeof readHar>,
  file: string,
  givenBase: string | undefined,
) {
  const all = entries.map((entry, index) => {
    const url = entry.url.replace(/^ws/, 'http');
    return { entry, index, url, operation: findOperation(entry.method, url) };
  });
  const keyed = all.find(({ operation, entry }) => operation && 'authorization' in entry.requestHeaders);
  const base = givenBase ?? (keyed && baseOf(keyed));
  const calls = all.filter(
    (call) => call.operation !== undefined && (base === undefined || baseOf(call) === base),
  );
  // Our recorder leaves nothing of a request out.
  const isOurs = creator === toolName;
  const showsEnds = recordersOfEnds.includes(creator);
  // Answers and bodies that the recording lacks, or has only in part.
  let gaps = 0;
  const exchanges: Exchange[] = [];
  for (const call of calls) {
    const exchange = readEntry(call, file);
    if (exchange === undefined || responseOf(exchange).isBodyMissing === true) gaps += 1;
    if (exchange !== undefined) exchanges.push(showsEnds ? exchange : withUnknownEnd(exchange));
    if (exchange !== undefined && lacksRequestBody(call, exchange)) gaps += 1;
  }
  return { exchanges, ignored: all.length - calls.length, gaps, isOurs };
}

/** The recorders that mark a stopped answer. Firefox writes it like a whole one. */
const recordersOfEnds = [toolName, 'WebInspector', 'Playwright', 'mitmproxy'];

/** Only a length that the answer announces shows that a body is whole, if its recorder does not. */
function withUnknownEnd(exchange: Exchange): Exchange {
  if (exchange.kind === 'live') return exchange;
  const { response } = exchange;
  const isAnnounced = 'content-length' in response.headers && !('content-encoding' in response.headers);
  return isAnnounced ? exchange : { ...exchange, response: { ...response, ended: 'unknown' } };
}

/** An entry with the operation that it calls. */
interface Entry {
  readonly entry: HarEntry;
  readonly index: number;
  readonly url: string;
  readonly operation: ReturnType<typeof findOperation>;
}

/** The address below which the path of the operation begins. */
function baseOf({ url, operation }: Entry): string {
  const { origin, pathname } = new URL(url);
  const depth = (operation?.path.split('/').length ?? 1) - 1;
  return origin + pathname.replace(/\/$/, '').split('/').slice(0, -depth).join('/');
}

/** `undefined` where there was no answer: the request was blocked or aborted (0, -1), or its answer was in a cache (304). */
function readEntry({ entry, index, url, operation }: Entry, file: string): Exchange | undefined {
  const { method, status, requestHeaders, raw } = entry;
  if (operation === undefined || status <= 0 || status === 304) return undefined;
  const body = entry.requestBody();
  const call = {
    name: `${file}, entry ${index + 1}: ${method} ${new URL(url).pathname}`,
    request: { method, url, headers: requestHeaders, ...(body !== undefined && { body }) },
    response: readResponse(entry),
    source: { file },
  };
  return operation.id === 'openLiveSession'
    ? readLive(raw, call)
    : ({ kind: 'http', operationId: operation.id, ...call } as const);
}

function readResponse({ status, responseHeaders: headers, responseBody, raw }: HarEntry): RecordedResponse {
  const { httpVersion, _ended } = asObject(raw.response);
  const version = /^(?:HTTP\/|h)([\d.]+)/i.exec(String(httpVersion ?? ''))?.[1];
  const body = responseBody();
  return {
    status,
    headers,
    body: body ?? new Uint8Array(),
    ...(body === undefined && { isBodyMissing: true }),
    // Browsers omit the headers of the connection, so a missing one proves nothing; HTTP/2 has none of them.
    ...(version !== undefined && headers['transfer-encoding'] !== undefined && { httpVersion: version }),
    ended: _ended === 'cut' ? 'cut' : 'complete',
  };
}

/** A recorder that kept nothing of a body that this call was sent with leaves its request unjudged. */
function lacksRequestBody({ entry, operation }: Entry, exchange: Exchange): boolean {
  if (exchange.kind === 'live' || exchange.request.body !== undefined) return false;
  const { bodySize, postData } = asObject(entry.raw.request);
  const isSent = Number(bodySize ?? 0) > 0 || isObject(postData);
  return isSent && (operation?.requestMediaTypes.length ?? 0) > 0;
}

/** Chromium keeps the frames of a socket beside its entry: opcode 1 is text, 2 is binary in base64. */
function readLive(
  { _webSocketMessages: frames, _webSocketClose: closed }: HarEntry['raw'],
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
