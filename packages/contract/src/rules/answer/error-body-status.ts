import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';
import { isObject } from '../../specification/document.ts';

export const errorBodyStatus: Rule<Answer> = {
  id: 'error-body-status',
  judge: ({ status, json }) => {
    if (status < 400 || json === undefined || !('value' in json) || !isObject(json.value)) return undefined;
    const told = json.value.status;
    if (typeof told !== 'number') return undefined;
    return unless(told === status, {
      message: `The body says the status ${told}, the answer has ${status}.`,
      where: '/status',
      expected: String(status),
      actual: String(told),
    });
  },
};
