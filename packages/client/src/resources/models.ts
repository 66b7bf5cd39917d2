import type {
  CreateModelRequest,
  ListModelsQuery,
  UpdateModelRequest,
  VoiceModel,
  VoiceModelList,
} from '@speech-api/types';
import { listModelsDefaults, listModelsRanges, mediaTypes } from '@speech-api/types/constants';
import type { CallPromise, Core, Operation } from '../core/http.ts';
import { sleep } from '../core/retry.ts';
import { type BodyType, pathPart } from '../encode.ts';
import { AbortError, ProtocolError, RequestError, TimeoutError, TrainingError } from '../errors.ts';
import type { BodyOptions, CallOptions } from '../options.ts';
import { cleanCallOptions } from '../settings.ts';
import { drain, readJson, requireFields } from './answer.ts';

/** One page of voice models. Iterated, it gives its own items and those of every page after it. */
export type ModelPage = VoiceModelList & AsyncIterable<VoiceModel>;

/** How a training is waited for. Times are in milliseconds. */
export interface WaitOptions extends CallOptions {
  /** When to give up. @defaultValue 600000 (ten minutes) */
  readonly deadline?: number | undefined;
  /** Before the second read; each further wait is half as long again. @defaultValue 1000 */
  readonly minimumDelay?: number | undefined;
  /** No wait is longer. @defaultValue 15000 */
  readonly maximumDelay?: number | undefined;
}

/** Voice models (section 4.4). */
export interface ModelsResource {
  /**
   * Voice models, filtered and sorted: the first page when awaited, all of them when iterated.
   *
   * @example
   * ```ts
   * import { createSpeechClient } from '@speech-api/client';
   *
   * const client = createSpeechClient();
   * const { total } = await client.models.list({ language: ['en'] });
   * for await (const model of client.models.list({ page_size: 2 })) console.log(model._id, model.title);
   * console.log(total);
   * ```
   */
  list(filters?: ListModelsQuery, options?: CallOptions): ModelList;

  /**
   * Creates a voice model from 1 to 20 recordings. With `train_mode: 'fast'` it can be used at once.
   *
   * @example
   * ```ts
   * import { createSpeechClient } from '@speech-api/client';
   * import { openAudioFile } from '@speech-api/client/node';
   *
   * const client = createSpeechClient();
   * const model = await client.models.create({
   *   type: 'tts',
   *   title: 'My voice',
   *   train_mode: 'fast',
   *   visibility: 'private',
   *   voices: [await openAudioFile('sample.wav')],
   *   texts: ['What is said in the sample.'],
   * });
   * console.log(model._id, model.state);
   * ```
   */
  create(
    request: CreateModelRequest,
    options?: BodyOptions<'multipart/form-data' | 'application/msgpack'>,
  ): CallPromise<VoiceModel>;

  /**
   * Reads a voice model until it is `trained`, less and less often. A model of `train_mode: 'fast'` is at once.
   *
   * Each read has the deadlines and retries of a GET; `deadline` covers them all.
   *
   * @throws `TrainingError` when its training failed, `TimeoutError` of the phase `training` when the deadline
   * passed, and what {@link ModelsResource.get} throws.
   *
   * @example
   * ```ts
   * import { createSpeechClient } from '@speech-api/client';
   *
   * const client = createSpeechClient();
   * const model = await client.models.waitUntilTrained('sandbox-alba', { deadline: 60_000 });
   * console.log(model.state);
   * ```
   */
  waitUntilTrained(id: string, options?: WaitOptions): Promise<VoiceModel>;

  /**
   * One voice model.
   *
   * @throws `NotFoundError` without it, `PermissionDeniedError` for a private one of another account.
   *
   * @example
   * ```ts
   * import { createSpeechClient } from '@speech-api/client';
   *
   * const { title, state } = await createSpeechClient().models.get('sandbox-alba');
   * console.log(title, state);
   * ```
   */
  get(id: string, options?: CallOptions): CallPromise<VoiceModel>;

  /**
   * Changes the fields that are given; the rest stays. Sent as JSON, or as `contentType` says.
   *
   * @throws `RequestError` for an empty array in a form, which cannot say it, and what every call throws.
   *
   * @example
   * ```ts
   * import { createSpeechClient } from '@speech-api/client';
   *
   * const { models } = createSpeechClient();
   * await models.update('my-model-id', { title: 'A new title', tags: ['calm', 'warm'] });
   * await models.update('my-model-id', { tags: ['calm'] }, { contentType: 'application/x-www-form-urlencoded' });
   * ```
   */
  update(id: string, changes: UpdateModelRequest, options?: BodyOptions<BodyType>): CallPromise<void>;

  /**
   * Deletes a voice model. A later `get` throws `NotFoundError`.
   *
   * @example
   * ```ts
   * import { createSpeechClient } from '@speech-api/client';
   *
   * await createSpeechClient().models.delete('my-model-id');
   * ```
   */
  delete(id: string, options?: CallOptions): CallPromise<void>;
}

/**
 * A list of voice models: the first page when awaited, every item of every page when iterated.
 *
 * Nothing is requested before one of the two happens; each request is made once.
 */
export class ModelList implements PromiseLike<ModelPage>, AsyncIterable<VoiceModel> {
  readonly #load: (page: number) => CallPromise<VoiceModelList>;
  readonly #first: number;
  #firstPage: CallPromise<VoiceModelList> | undefined;

  constructor(load: (page: number) => CallPromise<VoiceModelList>, first: number) {
    this.#load = load;
    this.#first = first;
  }

  /** One page by its number, counted from 1. */
  async page(number: number): Promise<ModelPage> {
    return this.#iterable(await this.#request(number), number);
  }

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited for its first page
  then<Fulfilled = ModelPage, Rejected = never>(
    onFulfilled?: ((page: ModelPage) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.page(this.#first).then(onFulfilled, onRejected);
  }

  /** As of a promise. */
  catch<Rejected = never>(
    onRejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<ModelPage | Rejected> {
    return this.then(undefined, onRejected);
  }

  /** As of a promise. */
  finally(onFinally?: (() => void) | null): Promise<ModelPage> {
    return this.page(this.#first).finally(onFinally);
  }

  /** The first page, and the service's `Response`. */
  async withResponse(): Promise<{ readonly data: ModelPage; readonly response: Response }> {
    const { data, response } = await this.#request(this.#first).withResponse();
    return { data: this.#iterable(data, this.#first), response };
  }

  /** Every item from the first page asked for to the last; the next page is requested when it is needed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<VoiceModel, void, undefined> {
    yield* await this.page(this.#first);
  }

  #request(number: number): CallPromise<VoiceModelList> {
    if (number !== this.#first) return this.#load(number);
    this.#firstPage ??= this.#load(number);
    return this.#firstPage;
  }

  /** What an async function returns is awaited, so that its caller gets the page: it goes on as the list does. */
  #iterable(page: VoiceModelList, number: number): ModelPage {
    const list = this;
    async function* iterate(): AsyncGenerator<VoiceModel, void, undefined> {
      for (let current = page, next = number + 1; ; next += 1) {
        yield* current.items;
        // Otherwise a service that promises more and sends nothing would be asked forever.
        if (!current.has_more || current.items.length === 0) return;
        current = await list.#request(next);
      }
    }
    // Not enumerable: a page that is compared or written as JSON is what the service sent.
    return Object.defineProperty(page as ModelPage, Symbol.asyncIterator, {
      value: iterate,
      configurable: true,
    });
  }
}

const byId = { path: '/model/{id}' } as const;
const oneModel: Operation<VoiceModel>['read'] = (call, response) =>
  readJson(call, response, { _id: 'string' });
const listModels: Operation<VoiceModelList> = {
  operationId: 'listModels',
  method: 'get',
  path: '/model',
  async read(call, response) {
    const page = await readJson<VoiceModelList>(call, response, { items: '[]' });
    for (const item of page.items) requireFields(call, response, item, { _id: 'string' });
    return page;
  },
};
const createModel: Operation<VoiceModel> = {
  operationId: 'createModel',
  method: 'post',
  path: '/model',
  read: oneModel,
};
const getModel: Operation<VoiceModel> = { operationId: 'getModel', method: 'get', ...byId, read: oneModel };
const updateModel: Operation<void> = { operationId: 'updateModel', method: 'patch', ...byId, read: drain };
const deleteModel: Operation<void> = { operationId: 'deleteModel', method: 'delete', ...byId, read: drain };

export function createModelsResource(core: Core): ModelsResource {
  const models: ModelsResource = {
    list(filters = {}, options = {}) {
      const load = (page_number: number) =>
        core.call(listModels, options, () => ({ query: checkQuery({ ...filters, page_number }, filters) }));
      return new ModelList(load, filters?.page_number ?? listModelsDefaults.page_number);
    },

    create: (request, options = {}) =>
      core.call(createModel, options, () => ({
        body: requireObject(request),
        contentType: options.contentType ?? mediaTypes.multipart,
      })),

    async waitUntilTrained(id, options = {}) {
      const { deadline, minimumDelay, maximumDelay, ...rest } = cleanCallOptions(options) as WaitOptions;
      return waitUntilTrained((signal) => models.get(id, { ...rest, signal }), options);
    },

    get: (id, options = {}) => core.call(getModel, options, () => ({ path: pathPart('id', id) })),

    update: (id, changes, options = {}) =>
      core.call(updateModel, options, () => {
        const path = pathPart('id', id);
        const contentType = options.contentType ?? mediaTypes.json;
        refuseUnsayable(requireObject(changes), contentType);
        return { path, body: changes, contentType };
      }),

    delete: (id, options = {}) => core.call(deleteModel, options, () => ({ path: pathPart('id', id) })),
  };
  return models;
}

function requireObject<Value extends object>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new RequestError('the request must be an object of fields', { field: 'body' });
}

/** A query with values that an address can carry: an object would become a key of its own. */
function checkQuery(query: object, given: unknown): object {
  if (typeof given !== 'object' || given === null) {
    throw new RequestError('the filters must be an object', { field: 'filters' });
  }
  for (const [field, value] of Object.entries(query)) {
    const range = (listModelsRanges as Record<string, { readonly minimum: number }>)[field];
    if (range && value !== undefined && !(Number.isInteger(value) && value >= range.minimum)) {
      throw new RequestError(`${field} must be a whole number from ${range.minimum}`, { field });
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

/** What a form cannot say, left out silently, would change nothing: an empty array, and no change at all. */
function refuseUnsayable(changes: UpdateModelRequest, contentType: BodyType): void {
  if (contentType === mediaTypes.json || contentType === mediaTypes.msgpack) return;
  const said = Object.entries(changes).filter(([, value]) => value !== null && value !== undefined);
  const [field = said.length === 0 ? 'body' : undefined] =
    said.find(([, value]) => Array.isArray(value) && value.length === 0) ?? [];
  if (field === undefined) return;
  throw new RequestError(`${field} is empty, which a form cannot say; send JSON or MessagePack`, { field });
}

/** Reads with `get` until the model is trained; unknown states count as not trained. */
async function waitUntilTrained(
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
