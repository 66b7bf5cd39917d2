import {
  type CreateModelRequest,
  type ListModelsQuery,
  listModelsDefaults,
  mediaTypes,
  type UpdateModelRequest,
  type VoiceModel,
  type VoiceModelList,
} from '@speech-api/types';
import type { Core } from '../core/core.ts';
import { drain, readJson } from '../core/read-body.ts';
import { createForm } from '../form.ts';
import type { CallOptions } from '../options.ts';
import { ModelList } from './model-list.ts';

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
   * ```ts norun
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
  create(request: CreateModelRequest, options?: CallOptions): Promise<VoiceModel>;

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
   * Changes the fields that are given; the rest stays.
   *
   * @example
   * ```ts norun
   * import { createSpeechClient } from '@speech-api/client';
   *
   * await createSpeechClient().models.update('my-model-id', { title: 'A new title', tags: ['calm'] });
   * ```
   */
  update(id: string, changes: UpdateModelRequest, options?: CallOptions): Promise<void>;

  /**
   * Deletes a voice model. A later `get` throws `NotFoundError`.
   *
   * @example
   * ```ts norun
   * import { createSpeechClient } from '@speech-api/client';
   *
   * await createSpeechClient().models.delete('my-model-id');
   * ```
   */
  delete(id: string, options?: CallOptions): Promise<void>;
}

export function createModelsResource(core: Core): ModelsResource {
  const accept = mediaTypes.json;
  return {
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
      const form = createForm(request);
      const { response, call } = await core.call({ operationId: 'createModel', accept }, options, (init) =>
        core.http.POST('/model', { ...init, body: request, bodySerializer: () => form }),
      );
      return readJson<VoiceModel>(response, call);
    },

    async get(id, options = {}) {
      const { response, call } = await core.call({ operationId: 'getModel', accept }, options, (init) =>
        core.http.GET('/model/{id}', { ...init, params: { path: { id } } }),
      );
      return readJson<VoiceModel>(response, call);
    },

    async update(id, changes, options = {}) {
      const { response, call } = await core.call({ operationId: 'updateModel', accept }, options, (init) =>
        core.http.PATCH('/model/{id}', { ...init, params: { path: { id } }, body: changes }),
      );
      await drain(response, call);
    },

    async delete(id, options = {}) {
      const { response, call } = await core.call({ operationId: 'deleteModel', accept }, options, (init) =>
        core.http.DELETE('/model/{id}', { ...init, params: { path: { id } } }),
      );
      await drain(response, call);
    },
  };
}
