import { randomBytes } from 'node:crypto';
import { Refusal, sendJson } from '@speech-api/server';
import {
  type CreateModelRequest,
  createModelDefaults,
  operationTable,
  type VoiceModel,
} from '@speech-api/types';
import { type ClipFacts, extensionOf, inspectClip } from '../clips.ts';
import { languageOfText } from '../speech/text/characters.ts';
import type { NewFile } from '../state/files.ts';
import {
  planTraining,
  presentModel,
  type StoredClip,
  type StoredModel,
} from '../voice-models/voice-model.ts';
import type { OperationContext, OperationHandler } from './context.ts';
import { presentationOf } from './models.ts';

/**
 * `POST /model`: a `fast` model is trained when the answer leaves, a `full` one is trained by and by. What cannot be
 * used is refused at once for the one, and found out in training for the other.
 */
export const createModel: OperationHandler = async (context) => {
  const { call, response, state } = context;
  // Validation has turned every binary field into bytes, whichever way it came.
  const request = call.body as CreateModelRequest;
  const voices = [request.voices].flat() as readonly Uint8Array[];
  const cover = request.cover_image as Uint8Array | undefined;
  // One after another: decoded, a recording takes far more memory than its bytes.
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
  sendJson(response, operationTable.createModel.successStatus, presentModel(stored, presentationOf(context)));
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
    // Of a model in training, this is read from the clock.
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
