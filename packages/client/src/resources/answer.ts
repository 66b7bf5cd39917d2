import type { AudioFormat } from '@speech-api/types';
import { audioMediaTypes } from '@speech-api/types/constants';
import { requireWhole } from '../core/body.ts';
import type { Call } from '../core/call.ts';
import { loadLater } from '../on-demand.ts';

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
  if (own || (isAudio && !others.includes(found))) return requireWhole(call, response);
  await (await loadLater()).refuseMediaType(call, response, `${format} audio`, found);
}

/** Refuses an answer that is not of the media type `expected`. */
export async function requireMediaType(call: Call, response: Response, expected: string): Promise<void> {
  const found = mediaTypeOf(response);
  if (found !== expected) await (await loadLater()).refuseMediaType(call, response, expected, found);
  requireWhole(call, response);
}

/** The media type of an answer, without its parameters and in lower case; empty when it has none. */
function mediaTypeOf(response: Response): string {
  return (response.headers.get('content-type') ?? '').replace(/;.*$/s, '').trim().toLowerCase();
}
