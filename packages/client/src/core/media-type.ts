import type { AudioFormat } from '@speech-api/types';
import { audioMediaTypes } from '@speech-api/types/constants';
import { protocolError } from '../errors/protocol-error.ts';
import type { Call } from './call.ts';

const octetStream = 'application/octet-stream';

/** The media type of an answer, without its parameters and in lower case; empty when it has none. */
export function mediaTypeOf(response: Response): string {
  return (response.headers.get('content-type') ?? '').replace(/;.*$/s, '').trim().toLowerCase();
}

/**
 * Refuses an answer that is not audio, or audio of another format than was asked for.
 *
 * The interface names no media types, so services differ: any `audio/*` passes that is not the known type of
 * another format, and so does a body that says nothing of itself.
 */
export function requireAudio(response: Response, call: Call, format: AudioFormat): void {
  const found = mediaTypeOf(response);
  if (found === '' || found === octetStream || found === audioMediaTypes[format]) return;
  const others: string[] = Object.values(audioMediaTypes);
  const isAudio = found.startsWith('audio/') || (format === 'opus' && found === 'application/ogg');
  if (!isAudio || others.includes(found)) refuse(response, call, `${format} audio`, found);
}

/** Refuses an answer that is not of the media type `expected`. */
export function requireMediaType(response: Response, call: Call, expected: string): void {
  const found = mediaTypeOf(response);
  if (found !== expected) refuse(response, call, expected, found);
}

function refuse(response: Response, call: Call, expected: string, found: string): never {
  call.abandon();
  throw protocolError({ response, call }, `expected ${expected}, but got ${found || 'no media type'}`);
}
