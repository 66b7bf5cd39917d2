import type { AudioFormat } from '@speech-api/types';
import { audioMediaTypes } from '@speech-api/types/constants';
import { explain, parseError } from '../api-error.ts';
import { readText } from '../core/body.ts';
import type { Call } from '../core/call.ts';

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

/** Refuses a part where the whole was asked for. */
export function refusePartial(call: Call, response: Response): void {
  if (response.status === 206)
    throw call.protocolError('the service answered with a part of a body', { response });
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
    said = explain(parseError((await readText(call, response)).text)) ?? '';
  }
  const words = said && `; it says: ${said}`;
  throw call.protocolError(`expected ${expected}, but got ${found || 'no media type'}${words}`, { response });
}
