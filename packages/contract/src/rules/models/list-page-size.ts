import { listModelsDefaults } from '@speech-api/types';
import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedModels } from '../../subjects/models.ts';

export const listPageSize: Rule<JudgedModels> = {
  id: 'list-page-size',
  judge: ({ answer, models, page }) => {
    if (page === undefined) return undefined;
    const asked = Number(answer.asked.query.get('page_size') ?? listModelsDefaults.page_size);
    if (!Number.isInteger(asked) || asked < 1) return undefined;
    // A service may have a largest page, so fewer are wrong only where no other page follows.
    if (models.length > asked) {
      return [
        {
          message: `The page has ${models.length} voice models, ${asked} were asked for.`,
          where: '/items',
          expected: `at most ${asked}`,
          actual: String(models.length),
        },
      ];
    }
    const isShort = page.has_more === true && models.length < Math.min(asked, largestSurePage);
    return unless(!isShort, {
      message: `The page has ${models.length} voice models and another one follows, although ${asked} were asked for.`,
      where: '/items',
      expected: String(asked),
      actual: String(models.length),
    });
  },
};

/** Up to here every service is known to fill a page. */
const largestSurePage = 100;
