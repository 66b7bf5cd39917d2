import type { Example } from '../exchanges.ts';
import { answerExamples } from './answer.ts';
import { audioExamples } from './audio.ts';
import { fieldExamples } from './field.ts';
import { liveExamples } from './live.ts';
import { relationExamples } from './relation.ts';
import { streamExamples } from './stream.ts';
import { valueExamples } from './value.ts';

/** Exchanges that keep and break each rule. */
export const examples: readonly Example[] = [
  ...answerExamples,
  ...fieldExamples,
  ...audioExamples,
  ...valueExamples,
  ...streamExamples,
  ...liveExamples,
  ...relationExamples,
];
