import { listModelsDefaults } from '@speech-api/types';
import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedModels } from '../../subjects/models.ts';

export const listCounts: Rule<JudgedModels> = {
  id: 'list-counts',
  judge: ({ answer, models, page }) => {
    if (page === undefined || typeof page.total !== 'number' || typeof page.has_more !== 'boolean')
      return undefined;
    const size = Number(answer.asked.query.get('page_size') ?? listModelsDefaults.page_size);
    const number = Number(answer.asked.query.get('page_number') ?? listModelsDefaults.page_number);
    if (!Number.isInteger(size) || !Number.isInteger(number) || size < 1 || number < 1) return undefined;
    if (page.total < models.length) {
      return [
        {
          message: `The total is ${page.total}, and ${models.length} are shown.`,
          where: '/total',
          actual: String(page.total),
        },
      ];
    }
    const follows = page.total > (number - 1) * size + models.length && models.length > 0;
    return unless(page.has_more === follows, {
      message: `has_more is ${page.has_more} on page ${number} of ${size}, with a total of ${page.total}.`,
      where: '/has_more',
      expected: String(follows),
      actual: String(page.has_more),
    });
  },
};
