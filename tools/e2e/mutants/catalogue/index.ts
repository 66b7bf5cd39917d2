import type { Mutant } from '../mutant.ts';
import { audio } from './audio.ts';
import { encodingsAndTraces } from './encodings.ts';
import { answerFields } from './fields.ts';
import { liveSessions } from './live.ts';
import { refusalsAndHeads } from './refusals.ts';
import { requestsAccepted } from './requests.ts';
import { streams } from './streams.ts';
import { transcriptions, voices, wallets } from './voices.ts';

export const catalogue: readonly Mutant[] = [
  ...answerFields(),
  ...refusalsAndHeads,
  ...requestsAccepted,
  ...audio,
  ...streams,
  ...voices,
  ...wallets,
  ...transcriptions,
  ...liveSessions,
  ...encodingsAndTraces,
];
