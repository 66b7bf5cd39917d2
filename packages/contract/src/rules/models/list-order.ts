import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedModels } from '../../subjects/models.ts';
import { queryValues } from '../../subjects/models.ts';

export const listOrder: Rule<JudgedModels> = {
  id: 'list-order',
  judge: ({ answer, models, page }) => {
    const [key] = queryValues(answer, 'sort_by');
    if (page === undefined || (key !== 'task_count' && key !== 'created_at') || models.length < 2)
      return undefined;
    const values = models.map((model) =>
      key === 'task_count' ? Number(model[key]) : Date.parse(String(model[key])),
    );
    return unless(isMonotone(values) || isMonotone(values.toReversed()), {
      message: `The list is sorted by ${key}, and its values go up and down.`,
      where: '/items',
      actual: models
        .map((model) => String(model[key]))
        .join(', ')
        .slice(0, 120),
    });
  },
};

function isMonotone(values: readonly number[]): boolean {
  return values.every((value, index) => !(value < (values[index - 1] ?? value)));
}
