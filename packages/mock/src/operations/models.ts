import type { CreateModelRequest, VoiceModel, VoiceModelList } from '@speech-api/types';
import { createModelDefaults, listModelsDefaults } from '@speech-api/types';
import type { OperationHandler } from './context.ts';
import { sendDocumented } from './send-documented.ts';

/** `GET /model`: the document's one page; every later one is empty. */
export const listModels: OperationHandler = (context) => {
  const page = Number(context.call.query.page_number ?? listModelsDefaults.page_number);
  return sendDocumented(context, {}, (body) => {
    const list = body as VoiceModelList;
    return page === listModelsDefaults.page_number ? list : { ...list, items: [], has_more: false };
  });
};

/** `POST /model`: the document's voice model with what was sent for it. */
export const createModel: OperationHandler = (context) => {
  const request = context.call.body as CreateModelRequest;
  return sendDocumented(context, {}, (body) => ({
    ...(body as VoiceModel),
    type: request.type,
    title: request.title,
    train_mode: request.train_mode,
    visibility: request.visibility ?? createModelDefaults.visibility,
    description: request.description ?? '',
    tags: [request.tags ?? []].flat(),
  }));
};

/** `GET /model/{id}`: the document's voice model, under the id that was asked for. */
export const getModel: OperationHandler = (context) => {
  const { id } = context.call.path;
  return sendDocumented(context, {}, (body) => ({ ...(body as VoiceModel), _id: id }));
};

/** `PATCH` and `DELETE /model/{id}`: nothing, as the document has it. */
export const changeModel: OperationHandler = (context) => sendDocumented(context);
