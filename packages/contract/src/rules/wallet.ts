import { type Rules, unless } from '../problem.ts';
import type { Answer } from '../subjects/answer.ts';
import { jsonObject } from '../subjects/exchange-group.ts';

export const walletRules: Rules<Answer> = {
  'wallet-is-the-one-asked-for': (answer) => {
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

  'credit-is-decimal': (answer) => {
    const { credit } = jsonObject(answer) ?? {};
    if (typeof credit !== 'string') return undefined;
    return unless(/^-?\d+(\.\d+)?$/.test(credit), {
      message: `The credit is ${JSON.stringify(credit)}, which is not a decimal number.`,
      where: '/credit',
      expected: 'a decimal number',
      actual: credit,
    });
  },

  'wallet-times': (answer) => {
    const entry = jsonObject(answer);
    if (entry === undefined) return undefined;
    const created = Date.parse(String(entry.created_at));
    return ['updated_at', 'finished_at'].flatMap((name) =>
      unless(!(Date.parse(String(entry[name])) < created), {
        message: `\`/${name}\` is ${entry[name]}, before created_at, ${entry.created_at}.`,
        where: `/${name}`,
      }),
    );
  },
};
