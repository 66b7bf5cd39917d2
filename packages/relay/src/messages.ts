import { Encoder } from '@msgpack/msgpack';
import { decode } from '@speech-api/msgpack';
import { audioFormats, requestFields, synthesisDefaults } from '@speech-api/types/constants';
import { liveClientFields } from '@speech-api/types/live';
import type { Grant } from './options.ts';
import { Refusal, refusalOfAnswer, refusals } from './refusal.ts';

export interface ClientMessage {
  readonly event: keyof typeof liveClientFields;
  /** The message is encoded anew, so that the service reads what was checked here: a map may contain a key twice. */
  readonly frame: Uint8Array;
  /** Unicode code points of text in it. */
  readonly characters: number;
}

/** Limits that are checked before a message is decoded; a dialogue of samples has five levels. */
const decodeLimits = { maximumDepth: 8, maximumValues: 1000 };

/** One shared encoder of a library: for a short text, ours, which passes binaries by reference, takes ten times as long. */
const encoder = new Encoder({ extensionCodec: { tryToEncode: refuseTime, decode: () => undefined } });
const encode = (value: unknown): Uint8Array => encoder.encode(value);

/**
 * Reads a message of a client.
 *
 * @throws Refusal 422 for an invalid message, 403 for what the grant does not allow
 */
export function readClientMessage(data: Buffer, grant: Grant): ClientMessage {
  const message = decodeMap(data);
  const event = message.event;
  if (typeof event !== 'string' || !Object.hasOwn(liveClientFields, event)) {
    throw new Refusal(422, 'The field event must be start, text, flush or stop.');
  }
  const name = event as ClientMessage['event'];
  const unknown = Object.keys(message).find(
    (field) => !(liveClientFields[name] as readonly string[]).includes(field),
  );
  if (unknown !== undefined) throw new Refusal(422, `${name} has a field that it cannot have.`);
  let text = '';
  if (name === 'text') {
    if (typeof message.text !== 'string') throw new Refusal(422, 'The field text must be a string.');
    text = message.text;
  }
  if (name === 'start') text = checkRequest(message.request, grant);
  return { event: name, frame: encode(message), characters: [...text].length };
}

/**
 * Checks a synthesis request against a grant.
 *
 * @returns its text
 * @throws Refusal 422 for an invalid request, 403 for what the grant does not allow
 */
function checkRequest(value: unknown, { voices, formats, references }: Grant): string {
  if (!isMap(value)) throw new Refusal(422, 'The field request must be a map.');
  const { text, format = synthesisDefaults.format, reference_id: voice, references: samples } = value;
  if (typeof text !== 'string') throw new Refusal(422, 'The field request.text must be a string.');
  const fields: readonly string[] = requestFields.SynthesisRequest;
  // A service may have another field that names a voice.
  if (voices !== undefined && !Object.keys(value).every((field) => fields.includes(field))) {
    throw new Refusal(422, 'The field request has a field that the specification does not know.');
  }
  const allowed: readonly string[] = formats ?? audioFormats;
  if (typeof format !== 'string' || !allowed.includes(format)) {
    throw new Refusal(403, `The field request.format must be one of ${allowed.join(', ')}.`);
  }
  const sampled = samples !== undefined && samples !== null;
  if (sampled && references !== true) {
    throw new Refusal(403, 'The field request.references is not allowed here.');
  }
  // A service may ignore an empty list and then treat the ids as voices.
  if (sampled && !hasSamples(samples)) {
    throw new Refusal(422, 'The field request.references must have a sample in each list.');
  }
  const ids: readonly unknown[] = Array.isArray(voice) ? voice : [voice];
  // With samples for each speaker, the ids are names of speakers, not voices.
  const named =
    Array.isArray(voice) &&
    Array.isArray(samples) &&
    samples.length === ids.length &&
    samples.every(Array.isArray);
  if (voices !== undefined && !named && voice !== undefined && voice !== null) {
    if (ids.length === 0 || !ids.every((id) => typeof id === 'string' && voices.includes(id))) {
      throw new Refusal(403, 'The field request.reference_id names a voice that is not allowed here.');
    }
  }
  return text;
}

function hasSamples(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(hasSamples);
  return isMap(value) && value.audio instanceof Uint8Array && value.audio.length > 0;
}

/** Message of the service, as a client may see it. */
export type ServiceMessage =
  | { readonly event: 'audio'; readonly frame: Uint8Array }
  | { readonly event: 'finish'; readonly frame: Uint8Array }
  | { readonly event: 'error'; readonly refusal: Refusal }
  | { readonly event: 'unknown' };

// The constant first bytes of {event: 'audio', audio: …}.
const audioHead = Buffer.concat([Buffer.of(0x82), encode('event'), encode('audio'), encode('audio')]);

/** True if a frame is an audio message without any further field. */
function isPlainAudio(data: Buffer): boolean {
  const { length } = audioHead;
  const code = data[length] ?? 0;
  if (code < 0xc4 || code > 0xc6 || audioHead.compare(data, 0, length) !== 0) return false;
  const lengthBytes = 2 ** (code - 0xc4);
  const from = length + 1 + lengthBytes;
  return data.length >= from && data.length === from + data.readUIntBE(length + 1, lengthBytes);
}

/**
 * Reads a message of the service. Audio is recognised by its first bytes and passed on as it is; texts of the service
 * are replaced by our own, because they may contain account data.
 *
 * @throws Refusal 502 for an invalid message
 */
export function readServiceMessage(data: Buffer): ServiceMessage {
  if (isPlainAudio(data)) return { event: 'audio', frame: data };
  let message: Readonly<Record<string, unknown>>;
  try {
    message = decodeMap(data);
  } catch {
    throw new Refusal(502, 'The service sent an invalid message.');
  }
  if (message.event === 'audio') {
    const { audio } = message;
    if (!(audio instanceof Uint8Array)) throw new Refusal(502, 'The service sent an invalid message.');
    return { event: 'audio', frame: encode({ event: 'audio', audio }) };
  }
  if (message.event === 'error') {
    const { max_concurrency: limit, status } = message;
    if (typeof status === 'number' && status >= 400)
      return { event: 'error', refusal: refusalOfAnswer(status, undefined) };
    const refusal = limit === undefined || limit === null ? new Refusal(400) : new Refusal(429, undefined, 1);
    return { event: 'error', refusal };
  }
  if (message.event !== 'finish') return { event: 'unknown' };
  const failed = message.reason === 'error';
  const finish = { event: 'finish', reason: failed ? 'error' : 'stop' };
  return {
    event: 'finish',
    frame: encode(failed ? { ...finish, message: 'The text could not be spoken.' } : finish),
  };
}

export function errorFrame({ status, message, retryAfterSeconds }: Refusal): Uint8Array {
  return encode({
    event: 'error',
    error: message,
    status,
    final: refusals[status].final,
    ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }),
  });
}

/** Tells a client that the service is connected, and how many seconds the session has. Others ignore the message. */
export const readyFrame = (seconds: number): Uint8Array => encode({ event: 'ready', seconds });

/** No message contains a time, which decoding would make of an extension. */
function refuseTime(value: unknown): null {
  if (value instanceof Date) throw new Refusal(422, 'A message has a time, which no field takes.');
  return null;
}

function decodeMap(data: Buffer): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = decode(data, decodeLimits);
  } catch {
    throw new Refusal(422, 'A frame must be one MessagePack map of a few levels.');
  }
  if (!isMap(value)) throw new Refusal(422, 'A frame must be one MessagePack map.');
  return value;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}
