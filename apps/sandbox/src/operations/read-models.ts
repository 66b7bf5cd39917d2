import { sendJson } from '@speech-api/server';
import { type ListModelsQuery, listModelsDefaults, type VoiceModelList } from '@speech-api/types';
import { presentModel } from '../voice-models/voice-model.ts';
import { findReadable } from '../voice-models/voice-model-store.ts';
import type { OperationContext, OperationHandler } from './context.ts';

/** `GET /model`: own and public voice models, filtered, sorted, a page at a time (section 4.4). */
export const listModels: OperationHandler = (context) => {
  const { call, account, response, state } = context;
  const query = { ...listModelsDefaults, ...(call.query as ListModelsQuery) };
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

/** What answers of voice models depend on. */
export function presentationOf({ state, fileUrl }: OperationContext): Parameters<typeof presentModel>[1] {
  return { now: state.now(), fileUrl };
}
