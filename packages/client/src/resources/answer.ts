import type { AudioFormat } from '@speech-api/types';
import { audioMediaTypes } from '@speech-api/types/constants';
import { explain, shorten } from '../api-error.ts';
import { openBody } from '../core/body.ts';
import type { Call } from '../core/call.ts';
import { SpeechError } from '../errors.ts';

/** The largest JSON answer that is read, in bytes: far above any list of models, far below what fills a memory. */
const maximumJsonBytes = 32 * 1024 * 1024;

/** What a JSON answer must have for the client and its types to be of use: the type of each field, `[]` for a list. */
export type Expected = Readonly<Record<string, 'string' | 'number' | 'boolean' | '[]'>>;

/** A JSON body that must be an object with certain fields; others pass. */
export async function readJson<Value extends object>(
  call: Call,
  response: Response,
  expected: Expected,
): Promise<Value> {
  refusePartial(call, response);
  const text = new TextDecoder().decode(await openBody(call, response).bytes(maximumJsonBytes));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw call.protocolError(
      `expected JSON, but got: ${shorten(text) || 'an empty body'}`,
      response,
      withoutText(cause),
    );
  }
  requireFields(call, response, value, expected);
  return value as Value;
}

// The message of a syntax error repeats what it could not read.
function withoutText(cause: unknown): SpeechError | undefined {
  return SpeechError.isInstance(cause) ? cause : undefined;
}

/** Refuses a value that is not an object or lacks one of the fields. */
export function requireFields(call: Call, response: Response, value: unknown, expected: Expected): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const found = shorten(JSON.stringify(value) ?? '');
    throw call.protocolError(`expected a JSON object, but got: ${found}`, response);
  }
  for (const [name, type] of Object.entries(expected)) {
    const field = (value as Record<string, unknown>)[name];
    if (type === '[]' ? Array.isArray(field) : typeof field === type) continue;
    const said = explain(value);
    const found = said === undefined ? '' : `; it says: ${said}`;
    throw call.protocolError(
      `the answer has no ${name} that is a ${type === '[]' ? 'list' : type}${found}`,
      response,
    );
  }
}

/** Reads a body to its end for the sake of the connection; what it holds does not matter. */
export async function drain(call: Call, response: Response): Promise<void> {
  await openBody(call, response).bytes(maximumJsonBytes);
}

/**
 * Refuses an answer that is not audio, or audio of another format than was asked for.
 *
 * The interface names no media types, so services differ: any `audio/*` passes that is not the known type of
 * another format, and so does a body with no media type or with `application/octet-stream`.
 */
export async function requireAudio(call: Call, response: Response, format: AudioFormat): Promise<void> {
  const found = mediaTypeOf(response);
  const others: string[] = Object.values(audioMediaTypes);
  const isAudio = found.startsWith('audio/') || (format === 'opus' && found === 'application/ogg');
  const own = ['', 'application/octet-stream', audioMediaTypes[format]].includes(found);
  if (own || (isAudio && !others.includes(found))) return refusePartial(call, response);
  await refuse(call, response, `${format} audio`);
}

/** Refuses an answer that is not of the media type `expected`. */
export async function requireMediaType(call: Call, response: Response, expected: string): Promise<void> {
  if (mediaTypeOf(response) !== expected) await refuse(call, response, expected);
  refusePartial(call, response);
}

function refusePartial(call: Call, response: Response): void {
  if (response.status === 206)
    throw call.protocolError('the service answered with a part of a body', response);
}

/** The media type of an answer, without its parameters and in lower case; empty when it has none. */
function mediaTypeOf(response: Response): string {
  return (response.headers.get('content-type') ?? '').replace(/;.*$/s, '').trim().toLowerCase();
}

/** An error that came as a success keeps what it says. */
async function refuse(call: Call, response: Response, expected: string): Promise<never> {
  const found = mediaTypeOf(response);
  let said = '';
  if (/json|text/.test(found) && found !== 'text/event-stream') {
    const text = await openBody(call, response).errorText();
    said = explain(parsed(text)) ?? '';
  }
  const words = said && `; it says: ${said}`;
  throw call.protocolError(`expected ${expected}, but got ${found || 'no media type'}${words}`, response);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
