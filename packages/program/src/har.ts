import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export type JsonObject = Readonly<Record<string, unknown>>;
export type HarHeaders = Readonly<Record<string, string>>;

/** A recorded call. Bodies are read when they are asked for. */
export interface HarEntry {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: HarHeaders;
  /** 0 or -1 if there was no answer. */
  readonly status: number;
  readonly responseHeaders: HarHeaders;
  /** The bytes that were sent; undefined if the recording has none, or only what a text field could keep of them. */
  requestBody(): Uint8Array | undefined;
  /** The bytes of the answer; undefined if they were not kept, were cut, or are text that does not preserve them. */
  responseBody(): Uint8Array | undefined;
  /** The entry with what its recorder adds to the format. */
  readonly raw: JsonObject;
}

/** The end of a HAR file that is whole after each entry. Entries contain no line end, so this text occurs only once. */
export const endOfHar = '\n]}}';

/**
 * Reads the HTTP Archive format, 1.2, as browsers and proxies write it.
 *
 * @param file - The path of the file: Playwright keeps bodies in files beside it.
 * @throws Error that says what the text lacks
 */
export function readHar(
  text: string,
  file: string,
): { readonly creator: string; readonly entries: readonly HarEntry[] } {
  const { log } = asObject(parse(text.replace(/^\uFEFF/, '')));
  if (!isObject(log)) throw new Error('it is no HAR file: it has no "log"');
  if (!Array.isArray(log.entries)) throw new Error('a HAR file needs log.entries');
  return {
    creator: String(asObject(log.creator).name),
    entries: log.entries.map((entry, index) => readEntry(asObject(entry), index, file)),
  };
}

/** A recorder that was killed may leave the beginning of an entry behind the end of the others. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const end = text.indexOf(endOfHar);
    if (end >= 0) return JSON.parse(text.slice(0, end + endOfHar.length));
    throw new Error(`it is not JSON: ${(error as Error).message.replace(/\s+/g, ' ').slice(0, 120)}`, {
      cause: error,
    });
  }
}

function readEntry(raw: JsonObject, index: number, file: string): HarEntry {
  const { request, response } = raw;
  if (!isObject(request) || typeof request.method !== 'string' || typeof request.url !== 'string')
    throw new Error(`log.entries[${index}] needs a request with method and url`);
  if (!isObject(response) || typeof response.status !== 'number')
    throw new Error(`log.entries[${index}] needs a response with a status`);
  const responseHeaders = readHeaders(response.headers);
  return {
    method: request.method,
    url: request.url,
    requestHeaders: readHeaders(request.headers),
    status: response.status,
    responseHeaders,
    requestBody: () => readPosted(asObject(request.postData), file),
    responseBody: () => {
      if (response.status === 101) return new Uint8Array();
      // Browsers mark a stopped body like this.
      const wasStopped = typeof response._error === 'string' || typeof response._failureText === 'string';
      return wasStopped ? undefined : readContent(asObject(response.content), responseHeaders, file);
    },
    raw,
  };
}

function readPosted(
  { text, mimeType, encoding, _encoding, _file }: JsonObject,
  file: string,
): Uint8Array | undefined {
  if (typeof _file === 'string') return readBeside(file, _file);
  if (typeof text !== 'string' || text === '') return undefined;
  if (encoding === 'base64' || _encoding === 'base64') return Buffer.from(text, 'base64');
  return isText(mimeType) ? Buffer.from(text) : undefined;
}

function readContent(
  { text, encoding, size, mimeType, _file }: JsonObject,
  headers: HarHeaders,
  file: string,
): Uint8Array | undefined {
  if (typeof _file === 'string') return readBeside(file, _file);
  if (typeof text !== 'string')
    return size === 0 || headers['content-length'] === '0' ? new Uint8Array() : undefined;
  const type = headers['content-type'] ?? mimeType;
  const isKept = encoding === 'base64' || text === '' || (type ?? '') === '' || isText(type);
  if (!isKept) return undefined;
  const body = Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
  // Firefox keeps one mebibyte of a body; of the rest only the size is known.
  const length = headers['content-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 0;
  return body.length < Math.max(Number(size ?? 0), length) ? undefined : body;
}

/** True for media types whose bytes survive in a text. */
function isText(type: unknown): boolean {
  const [essence = ''] = String(type ?? '')
    .toLowerCase()
    .split(';', 1);
  return /^\s*text\/|[/+](?:json|xml|html|javascript|yaml|csv|x-www-form-urlencoded)\s*$/.test(essence);
}

function readBeside(file: string, name: string): Uint8Array | undefined {
  try {
    return readFileSync(join(dirname(file), basename(name)));
  } catch {
    return undefined;
  }
}

function readHeaders(list: unknown): HarHeaders {
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

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
