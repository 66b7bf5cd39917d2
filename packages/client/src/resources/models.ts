import type {
  CreateModelRequest,
  ListModelsQuery,
  UpdateModelRequest,
  VoiceModel,
  VoiceModelList,
} from '@speech-api/types';
import { listModelsDefaults, mediaTypes } from '@speech-api/types/constants';
import type { Core } from '../core/core.ts';
import { pathSegment } from '../core/path-segment.ts';
import { drain, readJson } from '../core/read-body.ts';
import { type BodyType, encodeAs } from '../encode.ts';
import { RequestError } from '../errors/request-error.ts';
import type { BodyOptions, CallOptions } from '../options.ts';
import { ModelList } from './model-list.ts';
import type { WaitOptions } from './wait-until-trained.ts';

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
  ): Promise<VoiceModel>;

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
   * @throws `NotFoundError` without it, `PermissionDeniedError` for a private one of somebody else.
   *
   * @example
   * ```ts
   * import { createSpeechClient } from '@speech-api/client';
   *
   * const { title, state } = await createSpeechClient().models.get('sandbox-alba');
   * console.log(title, state);
   * ```
   */
  get(id: string, options?: CallOptions): Promise<VoiceModel>;

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
  update(id: string, changes: UpdateModelRequest, options?: BodyOptions<BodyType>): Promise<void>;

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
  delete(id: string, options?: CallOptions): Promise<void>;
}

export function createModelsResource(core: Core): ModelsResource {
  const accept = mediaTypes.json;
  const models: ModelsResource = {
    list(filters = {}, options = {}) {
      const load = async (page_number: number): Promise<VoiceModelList> => {
        const query = { ...filters, page_number };
        const { response, call } = await core.call({ operationId: 'listModels', accept }, options, (init) =>
          core.http.GET('/model', { ...init, params: { query } }),
        );
        return readJson<VoiceModelList>(response, call);
      };
      return new ModelList(load, filters.page_number ?? listModelsDefaults.page_number);
    },

    async create(request, options = {}) {
      const { body, headers } = await encodeAs(options.contentType ?? mediaTypes.multipart, request);
      const { response, call } = await core.call({ operationId: 'createModel', accept }, options, (init) =>
        core.http.POST('/model', {
          ...init,
          headers: { ...headers, ...init.headers },
          body: request,
          bodySerializer: () => init.sent(body),
        }),
      );
      return readJson<VoiceModel>(response, call);
    },

    async waitUntilTrained(id, options = {}) {
      const { waitUntilTrained } = await import('./wait-until-trained.ts');
      return waitUntilTrained((signal) => models.get(id, { ...options, signal }), options);
    },

    async get(id, options = {}) {
      const path = pathSegment('id', id);
      const { response, call } = await core.call({ operationId: 'getModel', accept }, options, (init) =>
        core.http.GET('/model/{id}', { ...init, params: { path } }),
      );
      return readJson<VoiceModel>(response, call);
    },

    async update(id, changes, options = {}) {
      const path = pathSegment('id', id);
      const contentType = options.contentType ?? mediaTypes.json;
      refuseUnsayable(changes, contentType);
      const { body, headers } = await encodeAs(contentType, changes);
      const { response, call } = await core.call({ operationId: 'updateModel', accept }, options, (init) =>
        core.http.PATCH('/model/{id}', {
          ...init,
          headers: { ...headers, ...init.headers },
          params: { path },
          body: changes,
          bodySerializer: () => init.sent(body),
        }),
      );
      await drain(response, call);
    },

    async delete(id, options = {}) {
      const path = pathSegment('id', id);
      const { response, call } = await core.call({ operationId: 'deleteModel', accept }, options, (init) =>
        core.http.DELETE('/model/{id}', { ...init, params: { path } }),
      );
      await drain(response, call);
    },
  };
  return models;
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
