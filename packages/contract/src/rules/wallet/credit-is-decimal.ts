import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';
import { jsonObject } from '../json-object.ts';

export const creditIsDecimal: Rule<Answer> = {
  id: 'credit-is-decimal',
  judge: (answer) => {
    const { credit } = jsonObject(answer) ?? {};
    if (typeof credit !== 'string') return undefined;
    return unless(/^-?\d+(\.\d+)?$/.test(credit), {
      message: `The credit is ${JSON.stringify(credit)}, which is no decimal number.`,
      where: '/credit',
      expected: 'a decimal number',
      actual: credit,
    });
  },
};
