import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';

export const statusDocumented: Rule<Answer> = {
  id: 'status-documented',
  judge: ({ operation, isSuccess, status, documented }) => {
    if (operation === undefined || isSuccess) return undefined;
    // Any path can be asked with a method it does not have, and any server can fail in its own way.
    return unless(documented !== undefined || status === 405 || status > 500, {
      message: `${operation.id} does not document the status ${status}.`,
      expected: [...operation.responses.keys()].join(', '),
      actual: String(status),
    });
  },
};
