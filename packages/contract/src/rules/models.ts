import { createModelDefaults, listModelsDefaults } from '@speech-api/types';
import { type Problem, type Rules, unless } from '../problem.ts';
import { asObject, isObject, type JsonObject } from '../specification/document.ts';
import { show } from '../specification/field-violations.ts';
import type { Answer } from '../subjects/answer.ts';
import { type JudgedModels, queryValues } from '../subjects/models.ts';
import { isSame } from './relations.ts';

export const modelRules: Rules<JudgedModels> = {
  'model-is-the-one-asked-for': ({ answer, models }) => {
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

  'model-counts': ({ models, page }) => {
    const total =
      typeof page?.total === 'number' && page.total < 0
        ? [{ message: `The total is ${page.total}.`, where: '/total' }]
        : [];
    return [
      ...total,
      ...models.flatMap((model, index) => negatives(model, page === undefined ? '' : `/items/${index}`)),
    ];
  },

  'model-times': ({ models, page }) =>
    models.flatMap((model, index) => {
      const [created, updated] = [model.created_at, model.updated_at].map((time) => Date.parse(String(time)));
      const isInOrder = created === undefined || updated === undefined || !(updated < created);
      return unless(isInOrder, {
        message: `A voice model is updated at ${model.updated_at}, before it is created at ${model.created_at}.`,
        where: page === undefined ? '/updated_at' : `/items/${index}/updated_at`,
      });
    }),

  'created-as-asked': ({ answer, models }) => {
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

  'fast-model-is-trained': ({ answer, models }) => {
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

  'list-page-size': ({ answer, models, page }, limit) => {
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
    const isShort = page.has_more === true && models.length < Math.min(asked, limit('page_filled_up_to'));
    return unless(!isShort, {
      message: `The page has ${models.length} voice models and another one follows, although ${asked} were asked for.`,
      where: '/items',
      expected: String(asked),
      actual: String(models.length),
    });
  },

  'list-counts': ({ answer, models, page }) => {
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

  'list-is-distinct': ({ models, page }) => {
    if (page === undefined) return undefined;
    const ids = models.map((model) => model._id);
    const index = ids.findIndex((id, position) => ids.indexOf(id) !== position);
    return unless(index < 0, {
      message: `The voice model ${ids[index]} is on the page twice.`,
      where: `/items/${index}`,
    });
  },

  'list-filters': ({ answer, models, page }) => {
    if (page === undefined) return undefined;
    const tests = testsOf(answer);
    if (tests.length === 0) return undefined;
    return models.flatMap((model, index) =>
      tests.flatMap(({ name, holds }) =>
        unless(holds(model, models), {
          message: `The voice model ${model._id} does not match the filter ${name}.`,
          where: `/items/${index}`,
          expected: queryValues(answer, name).join(', '),
        }),
      ),
    );
  },

  'list-order': ({ answer, models, page }) => {
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

  'list-ends': ({ answer, models, page }) => {
    const [size = String(listModelsDefaults.page_size)] = queryValues(answer, 'page_size');
    const number = Number(queryValues(answer, 'page_number')[0]);
    if (page === undefined || !(number > 1) || typeof page.total !== 'number') return undefined;
    if ((number - 1) * Number(size) < page.total) return undefined;
    return unless(models.length === 0 && page.has_more !== true, {
      message: `Page ${number} of ${size} voice models each is beyond the ${page.total} there are, and has ${models.length} with has_more ${page.has_more}.`,
      where: '/items',
      expected: 'an empty page',
      actual: `${models.length} voice models`,
    });
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

const compared = ['type', 'title', 'visibility', 'train_mode', 'description', 'tags'];

interface FilterTest {
  readonly name: string;
  readonly holds: (model: JsonObject, all: readonly JsonObject[]) => boolean;
}

function testsOf(answer: Answer): readonly FilterTest[] {
  const isSelf = queryValues(answer, 'self').includes('true');
  const tests: readonly FilterTest[] = [
    { name: 'self', holds: (model, all) => !isSelf || authorOf(model) === authorOf(all[0] ?? {}) },
    // The flag for the caller's own wins over an author (section 4.4).
    {
      name: 'author_id',
      holds: (model) => isSelf || queryValues(answer, 'author_id').includes(authorOf(model)),
    },
    { name: 'tag', holds: (model) => hasOneOf(model.tags, queryValues(answer, 'tag')) },
    { name: 'language', holds: (model) => hasOneOf(model.languages, queryValues(answer, 'language')) },
    { name: 'title', holds: (model) => contains(model.title, queryValues(answer, 'title')[0] ?? '') },
  ];
  return tests.filter(({ name }) => queryValues(answer, name).some((value) => value !== ''));
}

function authorOf(model: JsonObject): string {
  return String(asObject(model.author)._id);
}

/** True if one of several filters of one name matches: whether all of them must match is not stated. */
function hasOneOf(values: unknown, asked: readonly string[]): boolean {
  if (!Array.isArray(values)) return true;
  return asked.flatMap((each) => each.split(',')).some((each) => values.includes(each));
}

function contains(title: unknown, asked: string): boolean {
  const words = asked
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.some((word) => String(title).toLowerCase().includes(word));
}

function isMonotone(values: readonly number[]): boolean {
  return values.every((value, index) => !(value < (values[index - 1] ?? value)));
}
