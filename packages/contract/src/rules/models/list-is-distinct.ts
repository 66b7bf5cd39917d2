import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedModels } from '../../subjects/models.ts';

export const listIsDistinct: Rule<JudgedModels> = {
  id: 'list-is-distinct',
  judge: ({ models, page }) => {
    if (page === undefined) return undefined;
    const ids = models.map((model) => model._id);
    const index = ids.findIndex((id, position) => ids.indexOf(id) !== position);
    return unless(index < 0, {
      message: `The voice model ${ids[index]} stands twice on the page.`,
      where: `/items/${index}`,
    });
  },
};
