import type { SpeechService } from '../speech/job.ts';
import { createSpeechService } from '../speech/service.ts';

const service = createSpeechService({ processes: 1 });

/** The real engine, one for all files of a worker: starting it takes seconds. It ends with the worker. */
export const sharedSpeech: SpeechService = { ...service, close: async () => {} };
