import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';

export const refusalHeaders: Rule<Answer> = {
  id: 'refusal-headers',
  judge: ({ status, headers }) => {
    const name = required.get(status);
    if (name === undefined) return undefined;
    return unless(headers[name] !== undefined, {
      message: `A ${status} has no header ${name}.`,
      where: `header ${name}`,
    });
  },
};

/** The header without which a client does not know what to do instead. */
const required: ReadonlyMap<number, string> = new Map([
  [401, 'www-authenticate'],
  [405, 'allow'],
  [426, 'upgrade'],
]);
