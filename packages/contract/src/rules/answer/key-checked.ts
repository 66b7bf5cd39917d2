import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';
import { isAboutTheKey, statusesOf } from '../../subjects/expected-refusal.ts';

export const keyChecked: Rule<Answer> = {
  id: 'key-checked',
  judge: ({ exchange, isSuccess, status }) => {
    const { expectation } = exchange;
    if (expectation?.outcome !== 'refused' || !isAboutTheKey(expectation)) return undefined;
    return unless(!isSuccess, {
      message: `The request is let in with ${status}, although ${expectation.because}.`,
      expected: statusesOf(expectation),
      actual: String(status),
    });
  },
};
