import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';

export const successStatus: Rule<Answer> = {
  id: 'success-status',
  judge: ({ operation, isSuccess, status }) => {
    if (operation === undefined || !isSuccess) return undefined;
    const expected = operation.successStatuses.join(' or ');
    return unless(operation.successStatuses.includes(status), {
      message: `The success of ${operation.id} has the status ${status}, not ${expected}.`,
      expected,
      actual: String(status),
      ...(!operation.successIsStated && { severity: 'warning' }),
    });
  },
};
