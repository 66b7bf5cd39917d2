import type {
  ApiCredit,
  CreateModelRequest,
  ListModelsQuery,
  Package,
  Transcription,
  TranscriptionRequest,
  UpdateModelRequest,
  VoiceModel,
  VoiceModelList,
} from '@speech-api/types';
import { limits, listModelsRanges, mediaTypes } from '@speech-api/types/constants';
import { explain, shorten } from '../api-error.ts';
import { openBody } from '../core/body.ts';
import type { Call } from '../core/call.ts';
import type { Prepared } from '../core/http.ts';
import { sleep } from '../core/retry.ts';
import { type BodyType, isBinary, notAFile } from '../encode.ts';
import {
  AbortError,
  ProtocolError,
  RequestError,
  SpeechError,
  TimeoutError,
  TrainingError,
} from '../errors.ts';
import { refusePartial } from './answer.ts';
import type { WaitOptions } from './models.ts';

// The operations that are answered with JSON: what is sent, and what must come back. Loaded with the first of them, so
// that a page that only speaks is spared them.

// A bundler puts what files share into files of their own, which compress worse; this keeps the client in one.
export { createSpeechClient } from '../client.ts';

const oneModel = (call: Call, response: Response) => readJson<VoiceModel>(call, response, { _id: 'string' });

/** One page of voice models. */
export function listModels(filters: ListModelsQuery, page_number: number): Prepared<VoiceModelList> {
  return {
    operationId: 'listModels',
    method: 'get',
    path: '/model',
    query: checkQuery(filters, page_number),
    async read(call, response) {
      const page = await readJson<VoiceModelList>(call, response, { items: '[]' });
      for (const item of page.items) requireFields(call, response, item, { _id: 'string' });
      return page;
    },
  };
}

export function createModel(request: CreateModelRequest, contentType?: BodyType): Prepared<VoiceModel> {
  refusePaths('voices', requireObject(request).voices);
  refusePaths('cover_image', request.cover_image);
  return {
    operationId: 'createModel',
    method: 'post',
    path: '/model',
    body: request,
    contentType: contentType ?? mediaTypes.multipart,
    read: oneModel,
  };
}

export function getModel(id: string): Prepared<VoiceModel> {
  return {
    operationId: 'getModel',
    method: 'get',
    path: '/model/{id}',
    pathParts: pathPart('id', id),
    read: oneModel,
  };
}

export function updateModel(
  id: string,
  changes: UpdateModelRequest,
  contentType: BodyType = mediaTypes.json,
): Prepared<void> {
  const pathParts = pathPart('id', id);
  refusePaths('cover_image', requireObject(changes).cover_image);
  refuseUnsayable(changes, contentType);
  return {
    operationId: 'updateModel',
    method: 'patch',
    path: '/model/{id}',
    pathParts,
    body: changes,
    contentType,
    read: drain,
  };
}

export function deleteModel(id: string): Prepared<void> {
  return {
    operationId: 'deleteModel',
    method: 'delete',
    path: '/model/{id}',
    pathParts: pathPart('id', id),
    read: drain,
  };
}

export function getApiCredit(userId: string): Prepared<ApiCredit> {
  return {
    operationId: 'getApiCredit',
    method: 'get',
    path: '/wallet/{user_id}/api-credit',
    pathParts: pathPart('user_id', userId),
    read: (call, response) => readJson<ApiCredit>(call, response, { credit: 'string' }),
  };
}

export function getPackage(userId: string): Prepared<Package> {
  return {
    operationId: 'getPackage',
    method: 'get',
    path: '/wallet/{user_id}/package',
    pathParts: pathPart('user_id', userId),
    read: (call, response) => readJson<Package>(call, response, { balance: 'number' }),
  };
}

export function createTranscription(
  request: TranscriptionRequest,
  contentType: BodyType = mediaTypes.multipart,
): Prepared<Transcription> {
  const reason = reasonAgainst(request?.audio);
  if (reason) throw new RequestError(`audio ${reason}`, { field: 'audio' });
  return {
    operationId: 'createTranscription',
    method: 'post',
    path: '/v1/asr',
    traced: true,
    body: request,
    contentType,
    async read(call, response) {
      const transcription = await readJson<Transcription>(call, response, { text: 'string' });
      // Without times a service may leave the list out.
      if (request.ignore_timestamps === false || transcription.segments !== undefined) {
        requireFields(call, response, transcription, { segments: '[]' });
      }
      return transcription;
    },
  };
}

/** Why the audio cannot be sent: it must be one file, with something in it, and no larger than is accepted. */
function reasonAgainst(audio: unknown): string | undefined {
  if (Array.isArray(audio)) return 'must be one file; send each recording in a call of its own';
  if (typeof audio === 'string') return notAFile;
  if (!isBinary(audio)) {
    return 'must be bytes, a Blob or a File; a stream becomes one with await readAudio(stream) of @speech-api/client/node';
  }
  const size = 'size' in audio ? audio.size : audio.byteLength;
  const maximum = limits.transcriptionFileBytesSent;
  if (size === 0) return 'is empty';
  return size > maximum ? `has ${size} bytes; the limit is ${maximum}` : undefined;
}

function requireObject<Value extends object>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new RequestError('the request must be an object of fields', { field: 'body' });
}

/** A query with values that an address can carry: an object would become a key of its own. */
function checkQuery(filters: ListModelsQuery, page_number: number): object {
  if (typeof filters !== 'object' || filters === null) {
    throw new RequestError('the filters must be an object', { field: 'filters' });
  }
  const query = { ...filters, page_number };
  for (const [field, value] of Object.entries(query)) {
    const range = (listModelsRanges as Record<string, { readonly minimum: number }>)[field];
    if (range && value !== undefined && !(Number.isInteger(value) && Number(value) >= range.minimum)) {
      throw new RequestError(`${field} must be a whole number from ${range.minimum}`, { field });
    }
    const isList = Array.isArray(value);
    if (value === null || (isList && value.some((single) => single === null || single === undefined))) {
      throw new RequestError(
        `${field} cannot be ${isList ? 'a list with null or undefined' : 'null'}; leave it out`,
        {
          field,
        },
      );
    }
    for (const single of [value].flat()) {
      if (typeof single === 'object' && single !== null) {
        throw new RequestError(`${field} must be a text, a number, true or false, or a list of texts`, {
          field,
        });
      }
    }
  }
  return query;
}

/** Refuses texts where files are due: most likely they are paths. */
function refusePaths(field: string, files: unknown): void {
  if ([files].flat().some((file) => typeof file === 'string')) {
    throw new RequestError(`${field} ${notAFile}`, { field });
  }
}

/** What a form cannot say, left out silently, would change nothing: an empty array, and no change at all. */
function refuseUnsayable(changes: UpdateModelRequest, contentType: BodyType): void {
  if (contentType === mediaTypes.json || contentType === mediaTypes.msgpack) return;
  const said = Object.entries(changes).filter(([, value]) => value !== null && value !== undefined);
  const [field = said.length === 0 ? 'body' : undefined] =
    said.find(([, value]) => Array.isArray(value) && value.length === 0) ?? [];
  if (field === undefined) return;
  throw new RequestError(`${field} is empty, which a form cannot say; send JSON or MessagePack`, { field });
}

/**
 * The value of a part of a path. Refuses what no encoding keeps in its place: nothing, `.` and `..` lead to
 * another path, where a DELETE may do harm.
 */
function pathPart<Name extends string>(field: Name, value: unknown): Record<Name, string> {
  if (typeof value !== 'string' || /^\.{0,2}$|\p{Surrogate}/u.test(value)) {
    const found = typeof value === 'string' ? JSON.stringify(value) : String(value);
    throw new RequestError(`${field} cannot be ${found}; pass the id as a text`, { field });
  }
  return { [field]: value } as Record<Name, string>;
}

/** Reads with `get` until the model is trained; unknown states count as not trained. */
export async function waitUntilTrained(
  get: (signal: AbortSignal) => Promise<VoiceModel>,
  { signal, deadline = 600_000, minimumDelay = 1000, maximumDelay = 15_000 }: WaitOptions,
): Promise<VoiceModel> {
  const controller = new AbortController();
  const late = new TimeoutError('training', deadline);
  const timer = deadline < 2 ** 31 ? setTimeout(() => controller.abort(late), deadline) : undefined;
  const onAbort = (): void => controller.abort(new AbortError(signal?.reason));
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  try {
    for (let delay = minimumDelay; ; delay *= 1.5) {
      const model = await get(controller.signal);
      if (model.state === 'trained') return model;
      if (typeof model.state !== 'string') {
        throw new ProtocolError('getModel: the answer has no state that is a string');
      }
      if (model.state === 'failed') throw new TrainingError(model);
      // A few per cent of jitter keep many waiters from asking in step.
      await sleep(Math.min(delay, maximumDelay) * (0.9 + Math.random() / 10), controller.signal);
    }
  } catch (error) {
    // A read that was aborted tells what aborted it.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** The largest JSON answer that is read, in bytes: far above any list of models, far below what fills a memory. */
const maximumJsonBytes = 32 * 1024 * 1024;

/** What a JSON answer must have for the client and its types to be of use: the type of each field, `[]` for a list. */
type Expected = Readonly<Record<string, 'string' | 'number' | 'boolean' | '[]'>>;

/** A JSON body that must be an object with certain fields; others pass. */
async function readJson<Value extends object>(
  call: Call,
  response: Response,
  expected: Expected,
): Promise<Value> {
  refusePartial(call, response);
  const text = new TextDecoder().decode(await call.collect(openBody(call, response), maximumJsonBytes));
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
function requireFields(call: Call, response: Response, value: unknown, expected: Expected): void {
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
async function drain(call: Call, response: Response): Promise<void> {
  await call.collect(openBody(call, response), maximumJsonBytes);
}
