import { sendJson, sendNothing } from '@speech-api/server';
import {
  type Decoded,
  type ListModelsQuery,
  listModelsDefaults,
  type UpdateModelRequest,
  unenforcedLimits,
  type VoiceModel,
  type VoiceModelList,
} from '@speech-api/types';
import { languageOfText } from '../speech/text/characters.ts';
import { filesOf, presentModel, type StoredModel } from '../voice-models/voice-model.ts';
import { findOwn, findReadable } from '../voice-models/voice-model-store.ts';
import type { OperationContext, OperationHandler } from './context.ts';

/** `GET /model`: own and public voice models, filtered, sorted, a page at a time. */
export const listModels: OperationHandler = (context) => {
  const { call, account, response, state } = context;
  const asked = { ...listModelsDefaults, ...(call.query as Decoded<ListModelsQuery>) };
  const query = {
    ...asked,
    page_size: Math.min(asked.page_size, unenforcedLimits.listModelsPageSize.maximum),
  };
  const { total, items } = state.models.list(account.user._id, query);
  const seen = (query.page_number - 1) * query.page_size + items.length;
  const list: VoiceModelList = {
    total,
    items: items.map((stored) => presentModel(stored, presentationOf(context))),
    has_more: items.length > 0 && seen < total,
  };
  sendJson(response, 200, list);
};

/** `GET /model/{id}`: by id also the unlisted ones. */
export const getModel: OperationHandler = (context) => {
  const { call, account, response, state } = context;
  const stored = findReadable(state.models, account, call.path.id ?? '');
  sendJson(response, 200, presentModel(stored, presentationOf(context)));
};

/** Time and file addresses for answers about voice models. */
export function presentationOf({ state, fileUrl }: OperationContext): Parameters<typeof presentModel>[1] {
  return { now: state.now(), fileUrl };
}

/** `PATCH /model/{id}`: changes what is given; what is left out or null stays. */
export const updateModel: OperationHandler = async ({ call, account, response, state }) => {
  const before = findOwn(state.models, account, call.path.id ?? '');
  const after = changeModel(before, call.body as UpdateModelRequest, state.now());
  state.models.save(after);
  const kept = filesOf(after);
  await state.files.remove(filesOf(before).filter((name) => !kept.includes(name)));
  sendNothing(response);
};

/** `DELETE /model/{id}`: gone for good, with its recordings. */
export const deleteModel: OperationHandler = async ({ call, account, response, state }) => {
  const stored = findOwn(state.models, account, call.path.id ?? '');
  state.models.remove(stored.model._id);
  await state.files.remove(filesOf(stored));
  sendNothing(response);
};

function changeModel(stored: StoredModel, request: UpdateModelRequest, now: number): StoredModel {
  const { cover, ...rest } = stored;
  const { title, description, cover_image, tags, visibility } = request;
  const changes: Partial<VoiceModel> = {
    ...(isGiven(title) && { title }),
    ...(isGiven(description) && { description }),
    ...(isGiven(cover_image) && { cover_image }),
    ...(isGiven(tags) && { tags: [tags].flat() }),
    ...(isGiven(visibility) && { visibility }),
  };
  return {
    ...rest,
    ...(cover !== undefined && !isGiven(cover_image) && { cover }),
    ...(isGiven(title) && { title_language: languageOfText(title) ?? '' }),
    model: { ...stored.model, ...changes, updated_at: new Date(now).toISOString() },
  };
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined;
}
