import { type Rule, unless } from '../../judge/rule.ts';
import type { ExchangeGroup } from '../../subjects/exchange-group.ts';
import { pagesOf } from '../pages-of.ts';

export const pagesRepeatNothing: Rule<ExchangeGroup> = {
  id: 'pages-repeat-nothing',
  judge: (group) => {
    const pages = pagesOf(group);
    if (pages === undefined) return undefined;
    const seen = new Map<unknown, string>();
    return pages.flatMap(({ name, items }) => {
      const own = new Map<unknown, string>();
      const problems = items.flatMap(({ _id }) => {
        own.set(_id, name);
        return unless(!seen.has(_id), {
          message: `The voice model ${_id} stands on "${seen.get(_id)}" and on "${name}".`,
        });
      });
      for (const [id, page] of own) seen.set(id, page);
      return problems;
    });
  },
};
