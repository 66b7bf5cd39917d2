import type { OperationHandlers } from './context.ts';
import { notYet, notYetForModel } from './not-yet.ts';
import { createSpeech, streamSpeechWithTimestamps } from './speech.ts';
import { createTranscription } from './transcription.ts';
import { getModel, listModels } from './voice-models.ts';
import { getApiCredit, getPackage } from './wallet.ts';

export const handlers: OperationHandlers = {
  createSpeech,
  streamSpeechWithTimestamps,
  createTranscription,
  listModels,
  createModel: notYet('Creating a voice model'),
  getModel,
  updateModel: notYetForModel('Updating a voice model'),
  deleteModel: notYetForModel('Deleting a voice model'),
  getApiCredit,
  getPackage,
  openLiveSession: notYet('The live socket'),
};
