import type { Problem, Rule } from '../../judge/rule.ts';
import { asObject, type JsonObject } from '../../specification/document.ts';
import type { JudgedModels } from '../../subjects/models.ts';

export const modelCounts: Rule<JudgedModels> = {
  id: 'model-counts',
  judge: ({ models, page }) => {
    const total =
      typeof page?.total === 'number' && page.total < 0
        ? [{ message: `The total is ${page.total}.`, where: '/total' }]
        : [];
    return [
      ...total,
      ...models.flatMap((model, index) => negatives(model, page === undefined ? '' : `/items/${index}`)),
    ];
  },
};

const counts = ['like_count', 'mark_count', 'shared_count', 'task_count'];

function negatives(model: JsonObject, pointer: string): Problem[] {
  const durations = Object.entries((asObject(model.quality).audios ?? []) as JsonObject).map(
    ([index, audio]) => [`quality/audios/${index}/duration_ms`, asObject(audio).duration_ms] as const,
  );
  return [...counts.map((name) => [name, model[name]] as const), ...durations]
    .filter(([, value]) => typeof value === 'number' && value < 0)
    .map(([name, value]) => ({
      message: `\`${pointer}/${name}\` is ${value}.`,
      where: `${pointer}/${name}`,
    }));
}
