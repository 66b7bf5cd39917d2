import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';
import { isObject } from '../../specification/document.ts';

export const issuesNameTheirPart: Rule<Answer> = {
  id: 'issues-name-their-part',
  judge: ({ operation, status, json }) => {
    if (operation === undefined || !operation.issuesNamePart || status < 400 || json === undefined)
      return undefined;
    if (!('value' in json) || !Array.isArray(json.value)) return undefined;
    return json.value.flatMap((issue, index) =>
      unless(isObject(issue) && typeof issue.in === 'string', {
        message: `Issue ${index} does not say in which part of the request it stands.`,
        where: `/${index}/in`,
      }),
    );
  },
};
