import { type Rule, unless } from '../../judge/rule.ts';
import type { JudgedModels } from '../../subjects/models.ts';

export const modelIsTheOneAskedFor: Rule<JudgedModels> = {
  id: 'model-is-the-one-asked-for',
  judge: ({ answer, models }) => {
    const asked = answer.asked.path.id;
    const [model] = models;
    if (answer.operation?.id !== 'getModel' || asked === undefined || typeof model?._id !== 'string')
      return undefined;
    return unless(model._id === asked, {
      message: `The voice model ${asked} was asked for, and ${model._id} is answered.`,
      where: '/_id',
      expected: asked,
      actual: model._id,
    });
  },
};
