import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';

export const workflowCriterion: Rule<Answer> = {
  id: 'workflow-criterion',
  judge: ({ exchange, status }) =>
    exchange.criteria?.flatMap(({ text, holds }) =>
      unless(holds, { message: `A criterion does not hold: ${text}.`, actual: `status ${status}` }),
    ),
};
