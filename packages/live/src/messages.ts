import {
  type ApiError,
  ConnectionError,
  ProtocolError,
  RequestError,
  type SpeechError,
  type SpeechRequest,
} from '@speech-api/client';
import { createApiError, shorten } from '@speech-api/client/shared';
import { decode, type EncodedParts, encodeRequest, MessagePackError } from '@speech-api/msgpack';
import type { AlignmentUpdateEvent } from '@speech-api/streaming';
import type { LiveClientMessage } from '@speech-api/types';
import { audioFormats, headerNames } from '@speech-api/types/constants';
import { liveCloseCodes } from '@speech-api/types/live';

type WithoutText<Request> = Request extends unknown ? Omit<Request, 'text'> : never;

/** Synthesis request whose text follows later. */
export type LiveRequest = WithoutText<SpeechRequest>;

/** The parts of a decoded server message that matter here; `ready` comes from our relay, with the seconds of a session. */
export type LiveServerMessage =
  | {
      readonly event: 'audio';
      readonly audio: Uint8Array;
      readonly update?: AlignmentUpdateEvent | undefined;
    }
  | { readonly event: 'finish'; readonly reason: string; readonly message: string }
  | { readonly event: 'error'; readonly error: string; readonly status: number; readonly retryAfter?: number }
  | { readonly event: 'ready'; readonly seconds?: number }
  | { readonly event: 'unknown' };

/** @throws RequestError for a field that belongs elsewhere and for an unknown format */
export function checkRequest(request: LiveRequest): void {
  if (typeof request !== 'object' || request === null)
    throw new RequestError(
      'the request is the second argument of connectLive, an object such as { format: "mp3" }',
      { field: 'request' },
    );
  if ('text' in request)
    throw new RequestError('text is given to connection.speak, not to connectLive', { field: 'text' });
  const { format } = request;
  if (format !== undefined && !audioFormats.includes(format)) {
    const actual = typeof format === 'string' ? JSON.stringify(format) : `of type ${typeof format}`;
    throw new RequestError(`format is ${actual}; use one of ${audioFormats.join(', ')}`, {
      field: 'format',
    });
  }
}

/** A message as the bytes of one frame. */
export function encodeMessage(
  message: Exclude<LiveClientMessage, { readonly event: 'start' }>,
): Uint8Array<ArrayBuffer> {
  // There is one part unless voice samples are included, which only `start` carries.
  const [frame] = encodeRequest(message).parts;
  return frame as Uint8Array<ArrayBuffer>;
}

/**
 * The parts of the `start` message, whose samples may be blobs.
 *
 * @throws RequestError for a value that cannot be sent, naming the field
 */
export function encodeStart(request: LiveRequest): EncodedParts {
  try {
    return encodeRequest({ event: 'start', request: { ...request, text: '' } });
  } catch (cause) {
    if (!MessagePackError.isInstance(cause)) throw cause;
    throw new RequestError(`the request cannot be sent: ${cause.message}`, {
      field: fieldAt(cause.path ?? ''),
      cause,
    });
  }
}

/** The field of a request at a pointer into its message: `prosody.speed` at `/request/prosody/speed`. */
function fieldAt(pointer: string): string {
  const [, , ...steps] = pointer.split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

/** Characters of one `text` message; a longer text becomes several. */
const messageCharacters = 8192;

/** The `text` messages for a text: several for a long one, none cut inside a surrogate pair. */
export function* encodeText(text: string): Generator<Uint8Array<ArrayBuffer>> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + messageCharacters);
    if (to < text.length && isHighSurrogate(text, to - 1)) to -= 1;
    yield encodeMessage({ event: 'text', text: text.slice(from, to) });
    from = to;
  }
}

/** True if the UTF-16 unit at `index` is the first half of a pair. */
export function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800;
}

/**
 * Reads a frame of the server. Unknown events give `unknown`, because the protocol may grow.
 *
 * @throws ProtocolError for bytes that are not MessagePack, not a map with `event`, or `audio` without bytes.
 */
export function readMessage(frame: Uint8Array): LiveServerMessage {
  const audio = readAudio(frame);
  if (audio !== undefined) return { event: 'audio', audio };
  let value: unknown;
  try {
    value = decode(frame);
  } catch (cause) {
    throw new ProtocolError('openLiveSession: a frame of the server is not MessagePack', { cause });
  }
  if (typeof value !== 'object' || value === null || !('event' in value) || typeof value.event !== 'string') {
    throw new ProtocolError('openLiveSession: a message of the server has no field event');
  }
  const message = value as Readonly<Record<string, unknown>> & { readonly event: string };
  if (message.event === 'audio') {
    if (!(message.audio instanceof Uint8Array)) {
      throw new ProtocolError('openLiveSession: an audio message of the server has no bytes');
    }
    return { event: 'audio', audio: message.audio, update: updateOf(message) };
  }
  if (message.event === 'finish') {
    return { event: 'finish', reason: textOf(message.reason), message: textOf(message.message) };
  }
  if (message.event === 'error') {
    const { retry_after: retryAfter } = message;
    return {
      event: 'error',
      error: textOf(message.error) || 'without an explanation',
      status: statusOf(message),
      ...(typeof retryAfter === 'number' && { retryAfter }),
    };
  }
  if (message.event !== 'ready') return { event: 'unknown' };
  return { event: 'ready', ...(typeof message.seconds === 'number' && { seconds: message.seconds }) };
}

/** The word times of an audio message. Null or malformed times keep the earlier ones. */
function updateOf({
  alignment,
  content,
  chunk_seq,
  chunk_audio_offset_sec,
}: Readonly<Record<string, unknown>>): AlignmentUpdateEvent | undefined {
  const { segments } = (alignment ?? {}) as { readonly segments?: unknown };
  if (!Array.isArray(segments) || typeof chunk_seq !== 'number') return undefined;
  return {
    type: 'alignment-update',
    chunk_seq,
    chunk_audio_offset_sec: typeof chunk_audio_offset_sec === 'number' ? chunk_audio_offset_sec : 0,
    content: textOf(content),
    alignment: {
      ...(alignment as AlignmentUpdateEvent['alignment']),
      segments: segments.filter(
        (segment) =>
          typeof segment?.text === 'string' && Number.isFinite(segment.start) && Number.isFinite(segment.end),
      ),
    },
  };
}

/** The error of the client's family for a status. `body`: what the service says, parsed or as text. */
export function statusError(
  status: number,
  body: unknown,
  traceId?: string | undefined,
  headers: Headers = new Headers(),
): ApiError {
  const answered = headers.get(headerNames.traceId) ?? traceId;
  return createApiError('openLiveSession', { status, headers, url: '' }, body, answered);
}

/** The error that an `error` message represents. */
export function errorOf(
  { error, status, retryAfter }: Extract<LiveServerMessage, { event: 'error' }>,
  traceId: string | undefined,
): SpeechError {
  const wait = retryAfter === undefined ? {} : { [headerNames.retryAfter]: String(retryAfter) };
  return statusError(status, error, traceId, new Headers(wait));
}

/** The error for a `finish` with the reason `error`: the service failed at work that it had accepted. */
export function finishError(
  { message }: Extract<LiveServerMessage, { event: 'finish' }>,
  traceId: string | undefined,
): SpeechError {
  return statusError(500, `the utterance failed${message === '' ? '' : `: ${message}`}`, traceId);
}

/** The error for a close before `finish`. Codes from 4400 are the relay's: 4000 and a status. */
export function closedEarly(code: number, reason: string, traceId: string | undefined): SpeechError {
  const words = reason === '' ? `closed with ${code}` : `closed with ${code}: ${shorten(reason)}`;
  const status = code >= 4400 && code < 4600 ? code - 4000 : statusOfClose[code];
  if (status !== undefined) return statusError(status, words, traceId);
  return new ConnectionError(`openLiveSession: the connection ended before finish (${words})`);
}

/** HTTP statuses that correspond to the documented close codes of a failed session. */
const statusOfClose: Readonly<Record<number, number>> = {
  [liveCloseCodes.notMessagePack]: 400,
  [liveCloseCodes.refused]: 400,
  [liveCloseCodes.tooLarge]: 413,
  [liveCloseCodes.fault]: 500,
  // "Try again later", from a gateway.
  1013: 503,
};

/** The status named in the error; otherwise the limit shows the reason, else the request was refused. */
function statusOf({ status, max_concurrency }: Readonly<Record<string, unknown>>): number {
  if (Number.isInteger(status) && Number(status) >= 400 && Number(status) < 600) return Number(status);
  return max_concurrency === undefined || max_concurrency === null ? 400 : 429;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

// The first bytes of {event: 'audio', audio: <binary>}. Most frames start with them, and reading them in place takes a tenth of
// the time of decoding.
const audioHead = Uint8Array.from('\x82\xa5event\xa5audio\xa5audio', (code) => code.charCodeAt(0));

/** The audio of a frame that contains only an `audio` message in its shortest form. */
function readAudio(frame: Uint8Array): Uint8Array | undefined {
  const { length } = audioHead;
  if (frame.length < length + 2) return undefined;
  for (let index = 0; index < length; index += 1) if (frame[index] !== audioHead[index]) return undefined;
  const lengthBytes = [1, 2, 4][(frame[length] ?? 0) - 0xc4];
  if (lengthBytes === undefined) return undefined;
  let size = 0;
  for (let index = 1; index <= lengthBytes; index += 1) size = size * 256 + (frame[length + index] ?? 0);
  const from = length + 1 + lengthBytes;
  if (from + size !== frame.length) return undefined;
  return new Uint8Array(frame.buffer, frame.byteOffset + from, size);
}
