import { deleteModel, updateModel } from './change-models.ts';
import type { OperationHandlers } from './context.ts';
import { createModel } from './create-model.ts';
import { openLiveSession } from './live-session.ts';
import { getModel, listModels } from './read-models.ts';
import { createSpeech, streamSpeechWithTimestamps } from './speech.ts';
import { createTranscription } from './transcription.ts';
import { getApiCredit, getPackage } from './wallet.ts';

export const handlers: OperationHandlers = {
  createSpeech,
  streamSpeechWithTimestamps,
  createTranscription,
  listModels,
  createModel,
  getModel,
  updateModel,
  deleteModel,
  getApiCredit,
  getPackage,
  openLiveSession,
};
