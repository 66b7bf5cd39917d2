import { createModelDefaults } from '@speech-api/types';
import { type Rule, unless } from '../../judge/rule.ts';
import { isObject, type JsonObject } from '../../specification/document.ts';
import { show } from '../../specification/field-violations.ts';
import type { JudgedModels } from '../../subjects/models.ts';
import { isSame } from '../is-same.ts';

export const createdAsAsked: Rule<JudgedModels> = {
  id: 'created-as-asked',
  judge: ({ answer, models }) => {
    const [model] = models;
    if (answer.operation?.id !== 'createModel' || model === undefined || !isObject(answer.asked.body))
      return undefined;
    const asked: JsonObject = { ...createModelDefaults, ...answer.asked.body };
    return compared
      .filter((name) => asked[name] !== undefined && asked[name] !== null && model[name] !== undefined)
      .flatMap((name) =>
        unless(isSame(model[name], asked[name]), {
          message: `The new voice model has the ${name} ${show(model[name])}, ${show(asked[name])} was asked for.`,
          where: `/${name}`,
          expected: show(asked[name]),
          actual: show(model[name]),
        }),
      );
  },
};

const compared = ['type', 'title', 'visibility', 'train_mode', 'description', 'tags'];
