import { type Rule, unless } from '../../judge/rule.ts';
import type { ExchangeGroup } from '../../subjects/exchange-group.ts';
import { pagesOf } from '../pages-of.ts';

export const pagesLeaveNothingOut: Rule<ExchangeGroup> = {
  id: 'pages-leave-nothing-out',
  judge: (group) => {
    const pages = pagesOf(group);
    const last = pages?.at(-1);
    if (pages === undefined || last === undefined) return undefined;
    const totals = new Set(pages.map(({ total }) => total));
    if (totals.size > 1)
      return [{ message: `The pages of one list tell the totals ${[...totals].join(', ')}.` }];
    // Not all pages were asked for.
    if (last.hasMore !== false) return undefined;
    const ids = new Set(pages.flatMap(({ items }) => items.map(({ _id }) => _id)));
    return unless(ids.size === last.total, {
      message: `The pages of the list have ${ids.size} voice models, the total is ${last.total}.`,
      expected: String(last.total),
      actual: String(ids.size),
    });
  },
};
