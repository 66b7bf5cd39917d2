import { type Rule, unless } from '../../judge/rule.ts';
import { isObject } from '../../specification/document.ts';
import { show } from '../../specification/field-violations.ts';
import type { JudgedModels } from '../../subjects/models.ts';

export const fastModelIsTrained: Rule<JudgedModels> = {
  id: 'fast-model-is-trained',
  judge: ({ answer, models }) => {
    const [model] = models;
    if (answer.operation?.id !== 'createModel' || model === undefined || !isObject(answer.asked.body))
      return undefined;
    if (answer.asked.body.train_mode !== 'fast') return undefined;
    return unless(model.state === 'trained', {
      message: `A voice model with train_mode fast is ${show(model.state)} when it is created, not trained.`,
      where: '/state',
      expected: 'trained',
      actual: show(model.state),
    });
  },
};
