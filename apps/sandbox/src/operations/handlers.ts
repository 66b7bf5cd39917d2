import { openLiveSession } from '../live/live-session.ts';
import type { OperationHandlers } from './context.ts';
import { createModel } from './create-model.ts';
import { deleteModel, getModel, listModels, updateModel } from './models.ts';
import { createSpeech, streamSpeechWithTimestamps } from './speech.ts';
import { createTranscription } from './transcription.ts';
import * as wallet from './wallet.ts';

export const handlers: OperationHandlers = {
  createSpeech,
  streamSpeechWithTimestamps,
  createTranscription,
  listModels,
  createModel,
  getModel,
  updateModel,
  deleteModel,
  ...wallet,
  openLiveSession,
};
