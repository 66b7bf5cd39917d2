import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedModels } from '../../subjects/models.ts';

export const modelTimes: Rule<JudgedModels> = {
  id: 'model-times',
  judge: ({ models, page }) =>
    models.flatMap((model, index) => {
      const [created, updated] = [model.created_at, model.updated_at].map((time) => Date.parse(String(time)));
      const isInOrder = created === undefined || updated === undefined || !(updated < created);
      return unless(isInOrder, {
        message: `A voice model is updated at ${model.updated_at}, before it is created at ${model.created_at}.`,
        where: page === undefined ? '/updated_at' : `/items/${index}/updated_at`,
      });
    }),
};
