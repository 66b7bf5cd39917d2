import { sendNothing } from '@speech-api/server';
import type { UpdateModelRequest, VoiceModel } from '@speech-api/types';
import { filesOf, languageOfText, type StoredModel } from '../voice-models/voice-model.ts';
import { findOwn } from '../voice-models/voice-model-store.ts';
import type { OperationHandler } from './context.ts';

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
