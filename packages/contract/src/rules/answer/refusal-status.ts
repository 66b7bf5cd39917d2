import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';
import { statusesOf } from '../../subjects/expected-refusal.ts';

export const refusalStatus: Rule<Answer> = {
  id: 'refusal-status',
  judge: ({ exchange, status }) => {
    const { expectation } = exchange;
    if (expectation?.outcome !== 'refused' || status < 400 || status >= 500 || status === 429)
      return undefined;
    const expected = statusesOf(expectation);
    if (expected === '') return undefined;
    return unless(expected.split(' or ').includes(String(status)), {
      message: `The request is refused with ${status}, not ${expected}: ${expectation.because}.`,
      expected,
      actual: String(status),
    });
  },
};
