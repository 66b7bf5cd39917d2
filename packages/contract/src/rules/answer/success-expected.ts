import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';

export const successExpected: Rule<Answer> = {
  id: 'success-expected',
  judge: ({ exchange, status, isSuccess }) => {
    if (exchange.expectation?.outcome !== 'success' || aboutTheAccount.includes(status)) return undefined;
    return unless(isSuccess, {
      message: `A request that keeps the contract is answered with ${status}.`,
      expected: 'success',
      actual: String(status),
    });
  },
};

/** No credit, too many at once, no room: the request is good all the same. */
const aboutTheAccount = [402, 429, 503];
