import { type Rules, unless, unlessEqual } from '../problem.ts';
import type { Answer } from '../subjects/answer.ts';

export const walletRules: Rules<Answer> = {
  'wallet-is-the-one-asked-for': ({ asked, object }) => {
    const wanted = asked.path.user_id;
    const told = object?.user_id;
    if (wanted === undefined || wanted === 'self' || typeof told !== 'string') return undefined;
    const message = `The wallet of ${wanted} was requested, but the answer is that of ${told}.`;
    return unlessEqual(told, wanted, { message, where: '/user_id' });
  },

  'credit-is-decimal': ({ object }) => {
    const credit = object?.credit;
    if (typeof credit !== 'string') return undefined;
    const message = `The credit is ${JSON.stringify(credit)}, which is not a decimal number.`;
    const problem = { message, where: '/credit', expected: 'a decimal number', actual: credit };
    return unless(/^-?\d+(\.\d+)?$/.test(credit), problem);
  },

  'wallet-times': ({ object }) => {
    if (object === undefined) return undefined;
    const created = Date.parse(String(object.created_at));
    return ['updated_at', 'finished_at'].flatMap((name) => {
      const message = `\`/${name}\` is ${object[name]}, before created_at, ${object.created_at}.`;
      return unless(!(Date.parse(String(object[name])) < created), { message, where: `/${name}` });
    });
  },
};
