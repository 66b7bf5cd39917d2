import type { OperationHandlers } from './context.ts';
import { openLiveSession } from './live-session.ts';
import { changeModel, createModel, getModel, listModels } from './models.ts';
import { createSpeech, streamSpeechWithTimestamps } from './speech.ts';
import { createTranscription } from './transcription.ts';
import { readWallet } from './wallet.ts';

export const handlers: OperationHandlers = {
  createSpeech,
  streamSpeechWithTimestamps,
  createTranscription,
  listModels,
  createModel,
  getModel,
  updateModel: changeModel,
  deleteModel: changeModel,
  getApiCredit: readWallet,
  getPackage: readWallet,
  openLiveSession,
};
