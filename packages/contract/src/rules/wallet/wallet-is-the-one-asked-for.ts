import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';
import { jsonObject } from '../json-object.ts';

export const walletIsTheOneAskedFor: Rule<Answer> = {
  id: 'wallet-is-the-one-asked-for',
  judge: (answer) => {
    const asked = answer.asked.path.user_id;
    const { user_id: told } = jsonObject(answer) ?? {};
    if (asked === undefined || asked === 'self' || typeof told !== 'string') return undefined;
    return unless(told === asked, {
      message: `The wallet of ${asked} was asked for, and that of ${told} is answered.`,
      where: '/user_id',
      expected: asked,
      actual: told,
    });
  },
};
