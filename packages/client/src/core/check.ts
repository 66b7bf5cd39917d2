import type {
  CreateModelRequest,
  ListModelsQuery,
  ReferenceAudio,
  SpeechRequest,
  TranscriptionRequest,
  UpdateModelRequest,
} from '@speech-api/types';
import { limits, listModelsRanges, mediaTypes, requestFields } from '@speech-api/types/constants';
import { RequestError } from '../errors.ts';
import { rules } from '../generated/rules.ts';
import { type BodyType, isBinary } from './encode.ts';

// What is wrong with a request is said before anything is sent. What only the service can judge is left to it.

/** Error message for a text in place of a file. */
const notAFile =
  'is a text; read the file first and pass its bytes, a Blob or a File (in Node: await openAudioFile(path) of @speech-api/client/node)';

/** Names that other services use, and what they are called here: sent, such a field would be left out of what is billed. */
const foreignFields: Readonly<Record<string, string>> = {
  input: 'text',
  voice: 'reference_id',
  voice_id: 'reference_id',
  response_format: 'format',
  speed: 'prosody.speed',
  model: 'the option model, in the second argument',
};

/** Refuses a request for speech that lacks what all of them need, or breaks a rule of the specification. */
export function checkSpeech(request: SpeechRequest, operationId: string, model: string): void {
  requireObject(request, 'the request must be an object with a text');
  for (const field of Object.keys(request)) {
    const meant = Object.hasOwn(foreignFields, field) ? foreignFields[field] : undefined;
    if (meant) throw new RequestError(`unknown field ${field}; use ${meant}`, { field });
  }
  if (typeof request.text !== 'string') {
    const words = request.text === undefined ? 'is missing; pass' : 'must be a string:';
    throw new RequestError(`text ${words} what is to be spoken`, { field: 'text' });
  }
  if (request.reference_id === '') {
    const words = 'reference_id is empty; leave it out for the voice of the service';
    throw new RequestError(words, { field: 'reference_id' });
  }
  for (const sample of [request.references ?? []].flat(2) as (Partial<ReferenceAudio> | null)[]) {
    if (typeof sample?.audio !== 'string') continue;
    throw new RequestError(`audio of a reference ${notAFile}`, { field: 'references' });
  }
  for (const { id, field, applies_to, check } of rules) {
    if (applies_to?.includes(operationId) === false) continue;
    const message = check({ ...request }, model);
    if (message !== undefined) throw new RequestError(message, { field, rule: id });
  }
}

/**
 * A request with fields that the specification does not know.
 *
 * @throws `RequestError` for a field that it knows, which belongs into the request itself.
 */
export function withExtra<Request extends object>(
  request: Request,
  extra: Readonly<Record<string, unknown>> | undefined,
  schema: 'SynthesisRequest' | 'TranscriptionRequest' | 'CreateModelRequest' | 'UpdateModelRequest',
): Request {
  if (extra === undefined) return request;
  const known: readonly string[] = requestFields[schema];
  const field = Object.keys(extra).find((name) => known.includes(name));
  if (field === undefined) return { ...request, ...extra };
  throw new RequestError(`extra.${field} is a field of the request; pass it there`, {
    field: `extra.${field}`,
  });
}

/** The audio of a transcription must be one file, not empty, and within the size limit. */
export function checkTranscription(request: TranscriptionRequest): void {
  requireObject(request);
  const { audio } = request;
  const refuse = (words: string) => new RequestError(`audio ${words}`, { field: 'audio' });
  if (Array.isArray(audio)) throw refuse('must be one file; make a call for each');
  if (typeof audio === 'string') throw refuse(notAFile);
  if (!isBinary(audio)) throw refuse('must be bytes, a Blob or a File');
  const size = 'size' in audio ? audio.size : audio.byteLength;
  const maximum = limits.transcriptionFileBytesSent;
  if (size === 0) throw refuse('is empty');
  if (size > maximum) throw refuse(`has ${size} bytes; the limit is ${maximum}`);
}

/** Refuses texts where files are due: most likely they are paths. */
export function checkNewModel(request: CreateModelRequest): void {
  requireObject(request);
  for (const field of ['voices', 'cover_image'] as const) {
    if (![request[field]].flat().some((file) => typeof file === 'string')) continue;
    throw new RequestError(`${field} ${notAFile}`, { field });
  }
}

/** Refuses changes that a form would silently lose: an empty array, or no change at all. */
export function checkChanges(changes: UpdateModelRequest, contentType: BodyType): void {
  requireObject(changes);
  if (contentType === mediaTypes.json || contentType === mediaTypes.msgpack) return;
  const fields = Object.entries(changes).filter(([, value]) => value !== null && value !== undefined);
  const [empty] = fields.find(([, value]) => Array.isArray(value) && value.length === 0) ?? [];
  const field = fields.length === 0 ? 'body' : empty;
  if (field === undefined) return;
  const words = `${field} is empty, which a form cannot express; send JSON or MessagePack`;
  throw new RequestError(words, { field });
}

/** Refuses filters that an address cannot carry: an object would become a key of its own. */
export function checkFilters(filters: ListModelsQuery): void {
  requireObject(filters, 'the filters must be an object');
  const ranges: Readonly<Record<string, { readonly minimum: number }>> = listModelsRanges;
  for (const [field, value] of Object.entries(filters)) {
    if (value === undefined) continue;
    const refuse = (words: string) => new RequestError(`${field} ${words}`, { field });
    const range = ranges[field];
    if (range && !(Number.isInteger(value) && Number(value) >= range.minimum)) {
      throw refuse(`must be a whole number from ${range.minimum}`);
    }
    if ([value].flat().some((single) => single === undefined || typeof single === 'object')) {
      throw refuse('must be a text, a number, a boolean or a list of them, or left out');
    }
  }
}

function requireObject(value: unknown, words = 'the request must be an object of fields'): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new RequestError(words, { field: 'body' });
}
