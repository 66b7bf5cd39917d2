import type {
  BinaryInput,
  CreateModelRequest,
  ListModelsQuery,
  UpdateModelRequest,
  VoiceModel,
  VoiceModelList,
} from '@speech-api/types';
import { listModelsDefaults } from '@speech-api/types/constants';
import { copyOf } from '../copy.ts';
import type { CallPromise, Core } from '../core/call.ts';
import type { BodyType } from '../encode.ts';
import { loadLater } from '../on-demand.ts';
import type { BodyOptions, CallOptions } from '../options.ts';
import type { NoPath } from '../request-check.ts';
import { cleanCallOptions } from '../settings.ts';
import { answerJson } from './answer-json.ts';

/** One page of voice models. Iterated, it gives its own items and those of every page after it. */
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
  create<
    Voices extends BinaryInput | string | readonly (BinaryInput | string)[],
    Picture extends BinaryInput | string,
  >(
    request: Omit<CreateModelRequest, 'voices' | 'cover_image'> & {
      readonly voices: Voices & NoPath<Voices>;
      readonly cover_image?: Picture & NoPath<Picture>;
    },
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

  // biome-ignore lint/suspicious/noThenProperty: a list is thenable on purpose; awaiting it gives the first page, iterating over it every model
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

  /** Makes a page iterable through the next pages, as its list is: awaiting a list gives the page alone. */
  #iterable(page: VoiceModelList, number: number): ModelPage {
    const list = this;
    async function* iterate(): AsyncGenerator<VoiceModel, void, undefined> {
      const seen = new Set<string>();
      for (let current = page, next = number + 1; ; next += 1) {
        // Otherwise a service that promises more and brings nothing new would be asked forever.
        if (current.items.every(({ _id }) => seen.has(_id))) return;
        for (const { _id } of current.items) seen.add(_id);
        yield* current.items;
        if (!current.has_more) return;
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

export function createModelsResource(core: Core): ModelsResource {
  const models: ModelsResource = {
    list(filters = {}, options = {}) {
      // Copied now, because the pages are loaded later.
      const copy = copyOrGiven(filters);
      const load = (page: number) => answerJson(core, 'listModels', options, copy, page);
      return new ModelList(load, filters?.page_number ?? listModelsDefaults.page_number);
    },

    create: (request, options = {}) => answerJson(core, 'createModel', options, request),

    async waitUntilTrained(id, options = {}) {
      const { deadline, minimumDelay, maximumDelay, ...rest } = cleanCallOptions(options) as WaitOptions;
      const { waitUntilTrained } = await loadLater();
      return waitUntilTrained((signal) => models.get(id, { ...rest, signal }), options);
    },

    get: (id, options = {}) => answerJson(core, 'getModel', options, id),
    update: (id, changes, options = {}) => answerJson(core, 'updateModel', options, id, changes),
    delete: (id, options = {}) => answerJson(core, 'deleteModel', options, id),
  };
  return models;
}

/** A copy, or what cannot be copied: the call that sends it refuses it. */
function copyOrGiven<Value>(given: Value): Value {
  try {
    return copyOf(given);
  } catch {
    return given;
  }
}
