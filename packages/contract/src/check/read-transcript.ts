import { CannotJudge } from '../command/failures.ts';
import type { Headers, HttpExchange, RecordedChunk } from '../exchange/http-exchange.ts';
import { nobody } from '../judge/curl.ts';
import { isObject } from '../specification/document.ts';

/** Whether text is a transcript, by its first line. */
export function isTranscript(text: string): boolean {
  const end = text.indexOf('\n');
  const first = parse(end < 0 ? text : text.slice(0, end));
  return isObject(first) && 'transcript' in first;
}

/**
 * Reads the transcript format of the spec: an opening, pieces of the body, an ending, each a line of JSON.
 *
 * @throws CannotJudge when a line is none of these; it says which
 */
export function readTranscript(text: string, file: string): HttpExchange {
  const lines = text.replace(/\n+$/, '').split('\n');
  const [opening, ending] = [parse(lines[0] ?? ''), parse(lines.at(-1) ?? '')];
  const problem = (line: number, what: string) => new CannotJudge(`${file}:${line}: ${what}`);
  if (!isObject(opening) || opening.transcript !== 1)
    throw problem(1, 'the version of the transcript must be 1.');
  const { request, status, headers } = opening;
  if (!isObject(request) || typeof request.method !== 'string' || typeof request.path !== 'string') {
    throw problem(1, 'the opening needs a request with method and path.');
  }
  if (typeof status !== 'number' || !isHeaders(headers))
    throw problem(1, 'the opening needs status and headers.');
  if (!isObject(ending) || (ending.end !== 'clean' && ending.end !== 'broken')) {
    throw problem(lines.length, 'the last line must be the ending: {"end": "clean"} or {"end": "broken"}.');
  }
  const chunks = lines.slice(1, -1).map((line, index): RecordedChunk => {
    const chunk = parse(line);
    const [atMs, base64] = Array.isArray(chunk) ? chunk : [];
    if (typeof atMs !== 'number' || typeof base64 !== 'string') {
      throw problem(index + 2, 'a piece of the body must be [milliseconds, base64].');
    }
    return { atMs, bytes: Buffer.from(base64, 'base64') };
  });
  return {
    kind: 'http',
    name: typeof opening.about === 'string' ? `${file}: ${opening.about}` : file,
    request: {
      method: request.method,
      url: `${nobody}${request.path}`,
      headers: isHeaders(request.headers) ? request.headers : {},
      ...('body' in request && { decoded: request.body }),
    },
    response: {
      status,
      headers,
      body: Buffer.concat(chunks.map(({ bytes }) => bytes)),
      chunks,
      ended: ending.end === 'clean' ? 'complete' : 'cut',
    },
    source: { file, line: 1 },
  };
}

function isHeaders(value: unknown): value is Headers {
  return isObject(value) && Object.values(value).every((each) => typeof each === 'string');
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
