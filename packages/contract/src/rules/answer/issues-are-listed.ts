import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';
import { asObject } from '../../specification/document.ts';

export const issuesAreListed: Rule<Answer> = {
  id: 'issues-are-listed',
  judge: ({ status, json }) => {
    if (status < 400 || json === undefined || !('value' in json) || !Array.isArray(json.value))
      return undefined;
    if (json.value.length === 0) return [{ message: 'The list of issues is empty.' }];
    return json.value.flatMap((issue, index) => {
      const { loc, msg } = asObject(issue);
      const isSaid = Array.isArray(loc) && loc.length > 0 && typeof msg === 'string' && msg.trim() !== '';
      return unless(isSaid, {
        message: `Issue ${index} names no place or says nothing.`,
        where: `/${index}`,
      });
    });
  },
};
