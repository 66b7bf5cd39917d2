import {
  createModel,
  createTranscription,
  getModel,
  listModels,
  type OperationHandlers,
  readWallet,
} from './documented.ts';
import { openLiveSession } from './live.ts';
import { createSpeech, streamSpeechWithTimestamps } from './speech.ts';

export const handlers: OperationHandlers = {
  createSpeech,
  streamSpeechWithTimestamps,
  createTranscription,
  listModels,
  createModel,
  getModel,
  getApiCredit: readWallet,
  getPackage: readWallet,
  openLiveSession,
};
