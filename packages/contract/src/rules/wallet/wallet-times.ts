import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';
import { jsonObject } from '../json-object.ts';

export const walletTimes: Rule<Answer> = {
  id: 'wallet-times',
  judge: (answer) => {
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
