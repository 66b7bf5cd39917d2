import { randomBytes } from 'node:crypto';
import { emptyAnswer, jsonAnswer, Refusal } from '@speech-api/server';
import {
  type CreateModelRequest,
  createModelDefaults,
  type Decoded,
  type ListModelsQuery,
  listModelsDefaults,
  operationTable,
  type UpdateModelRequest,
  unenforcedLimits,
  type VoiceModel,
  type VoiceModelList,
} from '@speech-api/types';
import { languageOfText } from '../speech/text/characters.ts';
import { extensionOf, type NewFile } from '../state/files.ts';
import { type ClipFacts, inspectClip } from '../uploads/uploads.ts';
import {
  filesOf,
  findOwn,
  findReadable,
  planTraining,
  presentModel,
  type StoredClip,
  type StoredModel,
} from '../voice-models.ts';
import type { OperationContext, OperationHandler } from './context.ts';

/** `GET /model`: own and public voice models, filtered, sorted, a page at a time. */
export const listModels: OperationHandler = ({ call, account, state, fileUrl }) => {
  const filters = { ...listModelsDefaults, ...(call.query as Decoded<ListModelsQuery>) };
  const query = {
    ...filters,
    page_size: Math.min(filters.page_size, unenforcedLimits.listModelsPageSize.maximum),
  };
  const { total, items } = state.models.list(account.user._id, query);
  const seen = (query.page_number - 1) * query.page_size + items.length;
  const list: VoiceModelList = {
    total,
    items: items.map((stored) => presentModel(stored, state.now(), fileUrl)),
    has_more: items.length > 0 && seen < total,
  };
  return jsonAnswer(200, list);
};

/** `GET /model/{id}`: unlisted models can be read by their id too. */
export const getModel: OperationHandler = ({ call, account, state, fileUrl }) => {
  const stored = findReadable(state.models, account, call.path.id ?? '');
  return jsonAnswer(200, presentModel(stored, state.now(), fileUrl));
};

/** `PATCH /model/{id}`: changes the fields that are sent; omitted and null fields stay. */
export const updateModel: OperationHandler = async ({ call, account, state }) => {
  const before = findOwn(state.models, account, call.path.id ?? '');
  const after = changeModel(before, call.body as UpdateModelRequest, state.now());
  state.models.save(after);
  const files = filesOf(after);
  await state.files.remove(filesOf(before).filter((name) => !files.includes(name)));
  return emptyAnswer();
};

/** `DELETE /model/{id}`: gone for good, with its recordings. */
export const deleteModel: OperationHandler = async ({ call, account, state }) => {
  const stored = findOwn(state.models, account, call.path.id ?? '');
  state.models.remove(stored.model._id);
  await state.files.remove(filesOf(stored));
  return emptyAnswer();
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

/**
 * `POST /model`: a `fast` model is trained when the answer leaves, a `full` one is trained by and by. What cannot be
 * used is refused at once for the one, and found out in training for the other.
 */
export const createModel: OperationHandler = async (context) => {
  const { call, state, fileUrl } = context;
  // Validation has turned every binary field into bytes, whichever way it came.
  const request = call.body as CreateModelRequest;
  const voices = [request.voices].flat() as readonly Uint8Array[];
  const cover = request.cover_image as Uint8Array | undefined;
  // Recordings are decoded one after another, because decoded audio takes far more memory than the file.
  const facts = await Array.fromAsync(voices, (bytes) => inspectClip(bytes, context));
  if (request.train_mode === 'fast') refuseUnusable(facts);
  const names = await state.files.write([...voices, ...(cover === undefined ? [] : [cover])].map(fileOf));
  const fileNames = call.fileNames.get('voices') ?? [];
  const clips = voices.map(
    (_, index): StoredClip => ({
      title: fileNames[index] || `voice-${index + 1}`,
      text: request.texts?.[index] ?? '',
      task_id: newId(),
      file: names[index] ?? '',
      facts: facts[index] ?? {},
    }),
  );
  const stored: StoredModel = {
    ...newModel(context, request, clips),
    ...(cover === undefined ? {} : { cover: names.at(-1) ?? '' }),
  };
  state.models.save(stored);
  const model = presentModel(stored, state.now(), fileUrl);
  return jsonAnswer(operationTable.createModel.successStatus, model);
};

function newModel(
  { state, account, trainingMilliseconds }: OperationContext,
  request: CreateModelRequest,
  clips: readonly StoredClip[],
): StoredModel {
  const now = state.now();
  const texts = request.texts ?? [];
  const languages = texts.map(languageOfText).filter((language) => language !== undefined);
  const usable = clips.every(({ facts }) => facts.problem === undefined);
  const model: VoiceModel = {
    _id: newId(),
    type: request.type,
    title: request.title,
    // The state of a model in training is computed from the clock.
    state: 'trained',
    tags: [...(request.tags ?? [])],
    created_at: new Date(now).toISOString(),
    updated_at: new Date(now).toISOString(),
    visibility: request.visibility ?? createModelDefaults.visibility,
    like_count: 0,
    mark_count: 0,
    shared_count: 0,
    task_count: 0,
    author: account.user,
    description: request.description ?? '',
    cover_image: '',
    train_mode: request.train_mode,
    samples: [],
    languages: [...new Set(languages)],
    lock_visibility: false,
    dmca_taken_down: false,
    default_text: texts[0] ?? '',
    source: 'upload',
    quality: null,
    unliked: false,
    liked: false,
    marked: false,
  };
  return {
    model,
    title_language: languageOfText(request.title) ?? '',
    clips,
    ...(request.train_mode === 'full' && {
      training: planTraining(now, trainingMilliseconds, usable ? 'trained' : 'failed'),
    }),
  };
}

function refuseUnusable(facts: readonly ClipFacts[]): void {
  facts.forEach(({ problem }, index) => {
    if (problem === undefined) return;
    const message = `voices[${index}] cannot be used for a voice: ${problem}.`;
    throw new Refusal('audio-unreadable', { message });
  });
}

/** Files are named by what they are; what is not known is kept as plain bytes. */
function fileOf(bytes: Uint8Array): NewFile {
  return { bytes, extension: extensionOf(bytes) };
}

function newId(): string {
  return randomBytes(16).toString('hex');
}
