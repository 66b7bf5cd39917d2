import { type Rule, unless } from '../../judge/rule.ts';
import type { ExchangeGroup } from '../../subjects/exchange-group.ts';
import { pagesOf } from '../pages-of.ts';

export const pagesEnd: Rule<ExchangeGroup> = {
  id: 'pages-end',
  judge: (group) => {
    const pages = pagesOf(group);
    if (pages === undefined || pages.length < 2) return undefined;
    return pages.flatMap(({ name, hasMore, items }, index) => {
      const isLast = index === pages.length - 1;
      if (isLast) return [];
      return unless(hasMore === true || (pages[index + 1]?.items.length ?? 0) === 0, {
        message: `"${name}" says that no page follows, and one does.`,
        expected: 'true',
        actual: `${hasMore}, with ${items.length} items`,
      });
    });
  },
};
