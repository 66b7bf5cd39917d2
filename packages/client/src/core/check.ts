import { isBinary } from '@speech-api/msgpack';
import type {
  ReferenceAudio,
  SpeechRequest,
  TranscriptionRequest,
  UpdateModelRequest,
} from '@speech-api/types';
import { maximumTranscriptionBytes, mediaTypes, requestFields } from '@speech-api/types/constants';
import { clientRules } from '@speech-api/types/request-rules';
import { RequestError } from '../errors.ts';
import { type BodyType, refuseUnread } from './encode.ts';

// Refuses invalid requests before anything is sent. What only the service can decide is left to it.

/** Error message for a text in place of a file. */
const notAFile =
  'is a text; read the file first (in Node: await openAudioFile(path) of @speech-api/client/node)';

/** Refuses a speech request that lacks a required field or breaks a rule of the specification. */
export function checkSpeech(request: SpeechRequest, operationId: string, model: string): void {
  if (typeof request.text !== 'string') {
    const words = request.text === undefined ? 'is missing; pass' : 'must be a string:';
    throw new RequestError(`text ${words} what is to be spoken`, { field: 'text' });
  }
  if (request.reference_id === '') {
    const words = 'reference_id is empty; omit it for the voice of the service';
    throw new RequestError(words, { field: 'reference_id' });
  }
  for (const sample of [request.references ?? []].flat(2) as (Partial<ReferenceAudio> | null)[]) {
    if (typeof sample?.audio !== 'string') continue;
    throw new RequestError(`audio of a reference ${notAFile}`, { field: 'references' });
  }
  for (const { id, field, applies_to, check } of clientRules) {
    if (applies_to?.includes(operationId) === false) continue;
    const message = check({ ...request }, model);
    if (message !== undefined) throw new RequestError(message, { field, rule: id });
  }
}

/**
 * A request with fields that the specification does not know.
 *
 * @throws `RequestError` for a field that it knows, which belongs in the request itself.
 */
export function withExtra<Request extends object>(
  request: Request,
  extra: Readonly<Record<string, unknown>> | undefined,
  schema: 'SynthesisRequest' | 'TranscriptionRequest' | 'CreateModelRequest' | 'UpdateModelRequest',
): Request {
  const fields: readonly string[] = requestFields[schema];
  const field = Object.keys(extra ?? {}).find((name) => fields.includes(name));
  if (field === undefined) return { ...request, ...extra };
  throw new RequestError(`extra.${field} is a field of the request; pass it there`, {
    field: `extra.${field}`,
  });
}

/** The audio of a transcription must be one file, not empty, and within the size limit. */
export function checkTranscription(request: TranscriptionRequest): void {
  const { audio } = request;
  const refuse = (words: string) => new RequestError(`audio ${words}`, { field: 'audio' });
  if (Array.isArray(audio)) throw refuse('must be one file; make a call for each');
  if (typeof audio === 'string') throw refuse(notAFile);
  if (!isBinary(audio)) {
    refuseUnread(Object(audio), 'audio');
    throw refuse('must be bytes, a Blob or a File; of an upload pass await readAudio(file.buffer, { name })');
  }
  const size = 'size' in audio ? audio.size : audio.byteLength;
  if (size === 0) throw refuse('is empty');
  if (size > maximumTranscriptionBytes) {
    throw refuse(
      `has ${size} bytes; the limit is ${maximumTranscriptionBytes}; @speech-api/recordings cuts larger files`,
    );
  }
}

/** Refuses changes that a form would silently lose: an empty array, or no change at all. */
export function checkChanges(changes: UpdateModelRequest, contentType: BodyType): void {
  if (contentType === mediaTypes.json || contentType === mediaTypes.msgpack) return;
  const fields = Object.entries(changes).filter(([, value]) => value !== null && value !== undefined);
  const [empty] = fields.find(([, value]) => Array.isArray(value) && value.length === 0) ?? [];
  const field = fields.length === 0 ? 'body' : empty;
  if (field === undefined) return;
  const words = `${field} is empty, which a form cannot express; send JSON or MessagePack`;
  throw new RequestError(words, { field });
}
