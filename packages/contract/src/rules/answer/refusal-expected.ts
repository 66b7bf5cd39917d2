import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';
import { isAboutTheKey, statusesOf } from '../../subjects/expected-refusal.ts';

export const refusalExpected: Rule<Answer> = {
  id: 'refusal-expected',
  judge: ({ exchange, isSuccess, status }) => {
    const { expectation } = exchange;
    if (expectation?.outcome !== 'refused' || isAboutTheKey(expectation)) return undefined;
    return unless(!isSuccess, {
      message: `The request is answered with ${status}, although ${expectation.because}.`,
      expected: statusesOf(expectation),
      actual: String(status),
    });
  },
};
