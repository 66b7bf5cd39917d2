import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';
import { statusesOf } from '../../subjects/expected-refusal.ts';

export const serverFault: Rule<Answer> = {
  id: 'server-fault',
  judge: ({ exchange, status }) => {
    const { expectation } = exchange;
    if (expectation?.outcome !== 'refused') return undefined;
    return unless(status < 500 || status === 503, {
      message: `The service fails with ${status} instead of refusing: ${expectation.because}.`,
      expected: statusesOf(expectation),
      actual: String(status),
    });
  },
};
