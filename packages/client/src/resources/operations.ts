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
import { limits, listModelsRanges, mediaTypes, requiredFields } from '@speech-api/types/constants';
import { explain, parseJson, shorten } from '../api-error.ts';
import { isBinary, notAFile } from '../copy.ts';
import { requireWhole } from '../core/body.ts';
import type { Call, Sent } from '../core/call.ts';
import { after, sleep } from '../core/timer.ts';
import type { BodyType } from '../encode.ts';
import { AbortError, ProtocolError, RequestError, TimeoutError } from '../errors.ts';
import { TrainingError } from '../service-errors.ts';
import type { WaitOptions } from './models.ts';

// The operations that are answered with JSON: what is sent, and what must come back.

/** The request of an operation, and the function that reads its answer. */
export interface Operation<Value> extends Sent {
  readonly read: (call: Call, response: Response) => Promise<Value>;
}

const oneModel = (call: Call, response: Response) => readJson<VoiceModel>(call, response, voiceModelFields);

/** One page of voice models. */
export const listModels = (filters: ListModelsQuery, page_number: number): Operation<VoiceModelList> => ({
  method: 'get',
  path: '/model',
  query: checkQuery(filters, page_number),
  async read(call, response) {
    const page = await readJson<VoiceModelList>(call, response, { items: 'list' });
    for (const item of page.items) requireFields(call, item, voiceModelFields, page);
    return page;
  },
});

export function createModel(
  body: Omit<CreateModelRequest, 'voices'> & { readonly voices: unknown },
  contentType: BodyType = mediaTypes.multipart,
): Operation<VoiceModel> {
  refusePaths('voices', requireObject(body).voices);
  refusePaths('cover_image', body.cover_image);
  return { method: 'post', path: '/model', body, contentType, read: oneModel };
}

export const getModel = (id: string): Operation<VoiceModel> => ({
  method: 'get',
  path: '/model/{id}',
  pathParts: { id },
  read: oneModel,
});

export function updateModel(
  id: string,
  body: UpdateModelRequest,
  contentType: BodyType = mediaTypes.json,
): Operation<void> {
  refuseUnsayable(requireObject(body), contentType);
  return { method: 'patch', path: '/model/{id}', pathParts: { id }, body, contentType, read: drain };
}

export const deleteModel = (id: string): Operation<void> => ({
  method: 'delete',
  path: '/model/{id}',
  pathParts: { id },
  read: drain,
});

export const getApiCredit = (user_id: string): Operation<ApiCredit> => ({
  method: 'get',
  path: '/wallet/{user_id}/api-credit',
  pathParts: { user_id },
  read: (call, response) => readJson(call, response, { credit: 'string' }),
});

export const getPackage = (user_id: string): Operation<Package> => ({
  method: 'get',
  path: '/wallet/{user_id}/package',
  pathParts: { user_id },
  read: (call, response) => readJson(call, response, packageFields),
});

export function createTranscription(
  body: Omit<TranscriptionRequest, 'audio'> & { readonly audio: unknown },
  contentType: BodyType = mediaTypes.multipart,
): Operation<Transcription> {
  const reason = reasonAgainst(body?.audio);
  if (reason) throw new RequestError(`audio ${reason}`, { field: 'audio' });
  const read = async (call: Call, response: Response): Promise<Transcription> => {
    const transcription = await readJson<Transcription>(call, response, {
      text: 'string',
      duration: 'number',
    });
    // Without times a service may leave the list out.
    if (body.ignore_timestamps === false || transcription.segments !== undefined) {
      requireFields(call, transcription, { segments: 'list' });
      for (const segment of transcription.segments) {
        requireFields(call, segment, segmentFields, transcription);
      }
    }
    return transcription;
  };
  return { method: 'post', path: '/v1/asr', traced: true, body, contentType, read };
}

const segmentFields: Expected = { text: 'string', start: 'number', end: 'number' };

/** The reason the audio cannot be sent: it must be one file, not empty, and within the size limit. */
function reasonAgainst(audio: unknown): string | undefined {
  if (Array.isArray(audio)) return 'must be one file; make a call for each';
  if (typeof audio === 'string') return notAFile;
  if (!isBinary(audio)) return 'must be bytes, a Blob or a File';
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
  const ranges: Readonly<Record<string, { readonly minimum: number }>> = listModelsRanges;
  for (const [field, value] of Object.entries(query)) {
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
  return query;
}

/** Refuses texts where files are due: most likely they are paths. */
function refusePaths(field: string, files: unknown): void {
  if ([files].flat().some((file) => typeof file === 'string')) {
    throw new RequestError(`${field} ${notAFile}`, { field });
  }
}

/** Refuses changes that a form would silently lose: an empty array, or no change at all. */
function refuseUnsayable(changes: UpdateModelRequest, contentType: BodyType): void {
  if (contentType === mediaTypes.json || contentType === mediaTypes.msgpack) return;
  const said = Object.entries(changes).filter(([, value]) => value !== null && value !== undefined);
  const [field = said.length === 0 ? 'body' : undefined] =
    said.find(([, value]) => Array.isArray(value) && value.length === 0) ?? [];
  if (field === undefined) return;
  throw new RequestError(`${field} is empty, which a form cannot express; send JSON or MessagePack`, {
    field,
  });
}

/** Reads with `get` until the model is trained; unknown states count as not trained. */
export async function waitUntilTrained(
  get: (signal: AbortSignal) => Promise<VoiceModel>,
  { signal, deadline = 600_000, minimumDelay = 1000, maximumDelay = 15_000 }: WaitOptions,
): Promise<VoiceModel> {
  const controller = new AbortController();
  const late = new TimeoutError('training', deadline);
  const stop = after(deadline, () => controller.abort(late));
  const onAbort = (): void => controller.abort(new AbortError(signal?.reason));
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  try {
    for (let delay = minimumDelay; ; delay *= 1.5) {
      const model = await get(controller.signal);
      if (model.state === 'trained') return model;
      if (typeof model.state !== 'string') {
        throw new ProtocolError('getModel: the answer has no state that is a string', { body: model });
      }
      if (model.state === 'failed') throw new TrainingError(model);
      // A few per cent of jitter keep many waiters from asking in step.
      await sleep(Math.min(delay, maximumDelay) * (0.9 + Math.random() / 10), controller.signal);
    }
  } catch (error) {
    // A read that was aborted tells what aborted it.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    stop();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** The largest JSON answer that is read, in bytes: far above any list of models, far below what fills a memory. */
const maximumJsonBytes = 32 * 1024 * 1024;

/** Required fields of a JSON answer: the type of each, or `any` if it only has to exist. */
type Expected = Readonly<Record<string, 'string' | 'number' | 'list' | 'any'>>;

const present = (names: readonly string[]): Expected =>
  Object.fromEntries(names.map((name) => [name, 'any']));

// Those that the interface marks as required, and those that the client or its types need.
const voiceModelFields: Expected = { ...present(requiredFields.VoiceModel), _id: 'string' };
const packageFields: Expected = { ...present(requiredFields.Package), balance: 'number' };

/** A JSON body that must be an object with certain fields; others pass. */
async function readJson<Value extends object>(
  call: Call,
  response: Response,
  expected: Expected,
): Promise<Value> {
  const text = await readText(call, response);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // The message of a syntax error would repeat what it could not read.
    throw call.protocolError(`expected JSON, but got: ${shorten(text) || 'an empty body'}`);
  }
  requireFields(call, value, expected);
  return value as Value;
}

/** Refuses a value that is not an object or lacks one of the fields. `body` is the whole answer. */
function requireFields(call: Call, value: unknown, expected: Expected, body: unknown = value): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const found = shorten(JSON.stringify(value));
    throw call.protocolError(`expected a JSON object, but got: ${found}`, { body });
  }
  for (const [name, type] of Object.entries(expected)) {
    const field = (value as Record<string, unknown>)[name];
    const found = Array.isArray(field) ? 'list' : typeof field;
    if (found === type || (type === 'any' && field !== undefined)) continue;
    const wanted = type === 'any' ? '' : ` that is a ${type}`;
    const said = explain(value);
    const words = said ? `; it says: ${said}` : '';
    throw call.protocolError(`the answer has no ${name}${wanted}${words}`, { body });
  }
}

/** A body as text, read to its end for the sake of the connection even where nobody needs it. */
async function readText(call: Call, response: Response): Promise<string> {
  requireWhole(call, response);
  let length = 0;
  call.inspector = {
    piece(piece) {
      length += piece.length;
      if (length > maximumJsonBytes) {
        throw call.protocolError(`the answer is larger than ${maximumJsonBytes} bytes`);
      }
    },
  };
  try {
    return await response.text();
  } catch (error) {
    // Some platforms give an error of their own in place of that of the stream.
    throw call.end(error);
  }
}

async function drain(call: Call, response: Response): Promise<void> {
  await readText(call, response);
}
