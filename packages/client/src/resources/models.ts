import type {
  CreateModelRequest,
  ListModelsQuery,
  UpdateModelRequest,
  VoiceModel,
  VoiceModelList,
} from '@speech-api/types';
import { listModelsDefaults, mediaTypes } from '@speech-api/types/constants';
import type { Call } from '../core/call.ts';
import { checkChanges, withExtra } from '../core/check.ts';
import { type BodyType, encode } from '../core/encode.ts';
import { type Answer, type CallPromise, type Core, send } from '../core/http.ts';
import { after, followSignal, sleep } from '../core/timer.ts';
import { AbortError, TimeoutError } from '../errors.ts';
import type { BodyOptions, CallOptions } from '../options.ts';
import { TrainingError } from '../service-errors.ts';
import { cleanCallOptions, waitChecks } from '../settings.ts';
import { readJson, readText, requireFields, voiceModelFields } from './json.ts';

/** One page of voice models. Iterating it yields its own items and those of every page after it. */
export type ModelPage = VoiceModelList & AsyncIterable<VoiceModel>;

/** Options for waiting for a training. Times are in milliseconds. */
export interface WaitOptions extends CallOptions {
  /** Total time after which waiting fails. @defaultValue 600000 (ten minutes) */
  readonly deadline?: number | undefined;
  /** Wait before the second read; each further one is half as long again. @defaultValue 1000 */
  readonly minimumDelay?: number | undefined;
  /** The longest wait between two reads. @defaultValue 15000 */
  readonly maximumDelay?: number | undefined;
}

/** Voice models. */
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
   * Polls a voice model until it is `trained`, with growing waits. One of `train_mode: 'fast'` is trained at once.
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

  /** Deletes a voice model. A later `get` throws `NotFoundError`. */
  delete(id: string, options?: CallOptions): CallPromise<void>;
}

/**
 * A list of voice models: the first page when awaited, every item of every page when iterated.
 *
 * Nothing is requested before one of the two happens; each request is made once.
 */
export interface ModelList
  extends Pick<Promise<ModelPage>, 'then' | 'catch' | 'finally'>,
    AsyncIterable<VoiceModel> {
  /** One page by its number, counted from 1. */
  page(number: number): Promise<ModelPage>;
  /** The first page, with the service's `Response` and the trace id. */
  withResponse(): Promise<Answer<ModelPage>>;
}

type LoadPage = (page: number) => CallPromise<VoiceModelList>;

function listOf(load: LoadPage, first: number): ModelList {
  let firstPage: CallPromise<VoiceModelList> | undefined;
  const request: LoadPage = (number) => {
    if (number !== first) return load(number);
    firstPage ??= load(number);
    return firstPage;
  };
  const page = async (number: number) => iterable(await request(number), number, request);
  return {
    page,
    // biome-ignore lint/suspicious/noThenProperty: a list is thenable on purpose; awaiting it gives the first page, iterating over it every model
    then: (onFulfilled, onRejected) => page(first).then(onFulfilled, onRejected),
    catch: (onRejected) => page(first).catch(onRejected),
    finally: (onFinally) => page(first).finally(onFinally),
    async withResponse() {
      const { data, ...others } = await request(first).withResponse();
      return { data: iterable(data, first, request), ...others };
    },
    async *[Symbol.asyncIterator]() {
      yield* await page(first);
    },
  };
}

/** Makes a page iterable through the next pages, as its list is: awaiting a list gives the page alone. */
function iterable(page: VoiceModelList, number: number, load: LoadPage): ModelPage {
  async function* iterate(): AsyncGenerator<VoiceModel, void, undefined> {
    const seen = new Set<string>();
    for (let current = page, next = number + 1, count = 0; ; next += 1) {
      // Without this, a service that promises more pages but sends nothing new would be asked forever.
      if (current.items.every(({ _id }) => seen.has(_id))) return;
      for (const { _id } of current.items) seen.add(_id);
      yield* current.items;
      count += current.items.length;
      // If the service does not say whether there is more, the total decides.
      const { has_more, total } = current as Partial<VoiceModelList>;
      if (!(has_more ?? (total !== undefined && (number > 1 || count < total)))) return;
      current = await load(next);
    }
  }
  // Not enumerable: comparing a page or writing it as JSON shows only what the service sent.
  return Object.defineProperty(page as ModelPage, Symbol.asyncIterator, {
    value: iterate,
    configurable: true,
  });
}

export function createModelsResource(core: Core): ModelsResource {
  const path = '/model/{id}';
  const models: ModelsResource = {
    list(filters = {}, options = {}) {
      const load = (page_number: number) =>
        send(core, 'listModels', options, () => ({
          method: 'get',
          path: '/model',
          query: { ...filters, page_number },
          read: readPage,
        }));
      return listOf(load, filters.page_number ?? listModelsDefaults.page_number);
    },

    create: (fields, options = {}) =>
      send(core, 'createModel', options, ({ extra, contentType = mediaTypes.multipart }) => {
        const body = encode(withExtra(fields, extra, 'CreateModelRequest'), contentType);
        return { method: 'post', path: '/model', body, read: readModel };
      }),

    waitUntilTrained: (id, options = {}) => waitUntilTrained(models, id, options),

    get: (id, options = {}) =>
      send(core, 'getModel', options, () => ({ method: 'get', path, pathParts: { id }, read: readModel })),

    update: (id, fields, options = {}) =>
      send(core, 'updateModel', options, ({ extra, contentType = mediaTypes.json }) => {
        const changes = withExtra(fields, extra, 'UpdateModelRequest');
        checkChanges(changes, contentType);
        const body = encode(changes, contentType);
        return { method: 'patch', path, pathParts: { id }, body, read: drain };
      }),

    delete: (id, options = {}) =>
      send(core, 'deleteModel', options, () => ({ method: 'delete', path, pathParts: { id }, read: drain })),
  };
  return models;
}

const readModel = (call: Call, response: Response) => readJson<VoiceModel>(call, response, voiceModelFields);

async function readPage(call: Call, response: Response): Promise<VoiceModelList> {
  const page = await readJson<VoiceModelList>(call, response, { items: 'list' });
  for (const item of page.items) requireFields(call, item, voiceModelFields, page);
  return page;
}

async function drain(call: Call, response: Response): Promise<void> {
  await readText(call, response);
}

/** Reads until the model is trained; unknown states count as not trained. */
async function waitUntilTrained(
  models: ModelsResource,
  id: string,
  options: WaitOptions,
): Promise<VoiceModel> {
  const clean = cleanCallOptions(options, waitChecks) as WaitOptions;
  const { deadline = 600_000, minimumDelay = 1000, maximumDelay = 15_000, signal, ...rest } = clean;
  const controller = new AbortController();
  let state: string | undefined;
  const stop = after(deadline, () => controller.abort(new TimeoutError('training', deadline, state)));
  const unfollow = signal && followSignal(signal, () => controller.abort(new AbortError(signal.reason)));
  try {
    for (let delay = minimumDelay; ; delay *= 1.5) {
      const model = await models.get(id, { ...rest, signal: controller.signal });
      state = model.state;
      if (state === 'trained') return model;
      if (state === 'failed') throw new TrainingError(model);
      // A few per cent of jitter keep many waiters from asking in step.
      await sleep(Math.min(delay, maximumDelay) * (0.9 + Math.random() / 10), controller.signal);
    }
  } catch (error) {
    // An aborted read fails with the reason of the abort.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    stop();
    unfollow?.();
  }
}
