import { createModelDefaults, listModelsDefaults, type OperationId } from '@speech-api/types';
import { chapter, type Problem, unless, unlessEqual } from '../problem.ts';
import { asObject, isObject, type JsonObject } from '../specification/document.ts';
import { show } from '../specification/field-violations.ts';
import type { Answer } from '../subjects/answer.ts';
import { isTotalLimited } from '../subjects/exchange-group.ts';
import type { Reading } from '../subjects/reading.ts';
import { isSame } from './relations.ts';

/** The voice models of one answer. */
interface JudgedModels {
  readonly answer: Answer;
  /** The model of the answer, or all models of its page. */
  readonly models: readonly JsonObject[];
  /** The page, if the answer is one. */
  readonly page?: JsonObject;
}

const modelOperations: readonly unknown[] = [
  'createModel',
  'getModel',
  'listModels',
] satisfies readonly OperationId[];

function readModels({ success }: Reading): readonly JudgedModels[] {
  if (success?.object === undefined || !modelOperations.includes(success.operation?.id)) return [];
  const { object } = success;
  if (success.operation?.id !== 'listModels') return [{ answer: success, models: [object] }];
  const items = Array.isArray(object.items) ? object.items.filter(isObject) : [];
  return [{ answer: success, models: items, page: object }];
}

/** Values of a parameter that may be repeated, also as `name[]`. */
function queryValues({ asked: { query } }: Answer, name: string): readonly string[] {
  return [...query.getAll(name), ...query.getAll(`${name}[]`)];
}

export const modelChapter = chapter(readModels, {
  'model-is-the-one-asked-for': ({ answer, models: [model] }) => {
    const id = answer.asked.path.id;
    if (answer.operation?.id !== 'getModel' || id === undefined || typeof model?._id !== 'string')
      return undefined;
    const message = `The voice model ${id} was requested, but the answer is ${model._id}.`;
    return unlessEqual(model._id, id, { message, where: '/_id' });
  },

  'model-counts': ({ models, page }) =>
    models.flatMap((model, index) => negatives(model, page === undefined ? '' : `/items/${index}`)),

  'model-times': ({ models, page }) =>
    models.flatMap((model, index) => {
      const { created_at: created, updated_at: updated } = model;
      const message = `A voice model is updated at ${updated}, before it is created at ${created}.`;
      const where = page === undefined ? '/updated_at' : `/items/${index}/updated_at`;
      const isBefore = Date.parse(String(updated)) < Date.parse(String(created));
      return unless(!isBefore, { message, where });
    }),

  'created-as-asked': ({ answer, models: [model] }) => {
    if (answer.operation?.id !== 'createModel' || model === undefined || !isObject(answer.asked.body))
      return undefined;
    const request: JsonObject = { ...createModelDefaults, ...answer.asked.body };
    return compared
      .filter((name) => request[name] !== undefined && request[name] !== null && model[name] !== undefined)
      .flatMap((name) => {
        const [expected, actual] = [show(request[name]), show(model[name])];
        const message = `The new voice model has the ${name} ${actual}; the request said ${expected}.`;
        return unless(isSame(model[name], request[name]), { message, where: `/${name}`, expected, actual });
      });
  },

  'fast-model-is-trained': ({ answer, models: [model] }) => {
    if (answer.operation?.id !== 'createModel' || model === undefined) return undefined;
    if (asObject(answer.asked.body).train_mode !== 'fast') return undefined;
    const actual = show(model.state);
    const message = `A voice model with train_mode fast is ${actual} when it is created, not trained.`;
    return unless(model.state === 'trained', { message, where: '/state', expected: 'trained', actual });
  },

  'list-page-size': ({ answer, models, page }, limit) => {
    if (page === undefined) return undefined;
    const pageSize = Number(answer.asked.query.get('page_size') ?? listModelsDefaults.page_size);
    if (!Number.isInteger(pageSize) || pageSize < 1) return undefined;
    const place = { where: '/items', actual: String(models.length) };
    // A service may limit the page size, so a short page is only wrong below that limit, and if another page follows.
    if (models.length > pageSize) {
      const message = `The page has ${models.length} voice models; the request was for ${pageSize}.`;
      return [{ ...place, message, expected: `at most ${pageSize}` }];
    }
    const isShort = page.has_more === true && models.length < Math.min(pageSize, limit('page_filled_up_to'));
    const message = `The page has only ${models.length} of the ${pageSize} voice models requested, although another page follows.`;
    return unless(!isShort, { ...place, message, expected: String(pageSize) });
  },

  'list-counts': ({ answer, models, page }) => {
    if (page === undefined || typeof page.total !== 'number' || typeof page.has_more !== 'boolean')
      return undefined;
    if (isTotalLimited(page)) return undefined;
    const { query } = answer.asked;
    const size = Number(query.get('page_size') ?? listModelsDefaults.page_size);
    const number = Number(query.get('page_number') ?? listModelsDefaults.page_number);
    if (!Number.isInteger(size) || !Number.isInteger(number) || size < 1 || number < 1) return undefined;
    const { total, has_more: hasMore } = page;
    if (total < models.length) {
      const message = `The total is ${total}, and ${models.length} are shown.`;
      return [{ message, where: '/total', actual: String(total) }];
    }
    const follows = total > (number - 1) * size + models.length && models.length > 0;
    const message = `The total is ${total}, but page ${number} of ${size} shows ${models.length}, and has_more is ${hasMore}.`;
    return unless(hasMore === follows, { message, where: '/total', actual: String(total) });
  },

  'list-is-distinct': ({ models, page }) => {
    if (page === undefined) return undefined;
    const ids = models.map((model) => model._id);
    const index = ids.findIndex((id, position) => ids.indexOf(id) !== position);
    const message = `The voice model ${ids[index]} is on the page twice.`;
    return unless(index < 0, { message, where: `/items/${index}` });
  },

  'list-filters': ({ answer, models, page }) => {
    const tests = testsOf(answer);
    if (page === undefined || tests.length === 0) return undefined;
    return models.flatMap((model, index) =>
      tests.flatMap(({ name, asked, holds }) => {
        const message = `The voice model ${model._id} does not match the filter ${name}.`;
        const problem = { message, where: `/items/${index}`, expected: asked.join(', ') };
        return unless(holds(model, asked, models), problem);
      }),
    );
  },

  'list-order': ({ answer, models, page }) => {
    const [key] = queryValues(answer, 'sort_by');
    if (page === undefined || (key !== 'task_count' && key !== 'created_at') || models.length < 2)
      return undefined;
    const sorted = models.map((model) => model[key]);
    const values = sorted.map((value) => (key === 'task_count' ? Number(value) : Date.parse(String(value))));
    return unless(isMonotone(values) || isMonotone(values.toReversed()), {
      message: `The list is sorted by ${key}, and its values go up and down.`,
      where: '/items',
      actual: sorted.map(String).join(', ').slice(0, 120),
    });
  },

  'list-ends': ({ answer, models, page }) => {
    const [size = String(listModelsDefaults.page_size)] = queryValues(answer, 'page_size');
    const number = Number(queryValues(answer, 'page_number')[0]);
    if (page === undefined || !(number > 1) || typeof page.total !== 'number' || isTotalLimited(page))
      return undefined;
    if ((number - 1) * Number(size) < page.total) return undefined;
    return unless(models.length === 0 && page.has_more !== true, {
      message: `Page ${number}, at ${size} voice models a page, is beyond the total of ${page.total}, but has ${models.length} and has_more ${page.has_more}.`,
      where: '/items',
      expected: 'an empty page',
      actual: `${models.length} voice models`,
    });
  },
});

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

/** True if a voice model matches the requested values. */
type Filter = (model: JsonObject, words: readonly string[], all: readonly JsonObject[]) => boolean;

/** The requested filters of a list. */
function testsOf(answer: Answer) {
  const isSelf = queryValues(answer, 'self').includes('true');
  return Object.entries<Filter>({
    self: (model, _asked, [first = {}]) => !isSelf || authorOf(model) === authorOf(first),
    // `self` takes precedence over an author.
    author_id: (model, words) => isSelf || words.includes(authorOf(model)),
    tag: ({ tags }, words) => hasOneOf(tags, words),
    language: ({ languages }, words) => hasOneOf(languages, words),
    title: ({ title }, [words = '']) => contains(title, words),
  })
    .map(([name, holds]) => ({ name, holds, asked: queryValues(answer, name) }))
    .filter(({ asked }) => asked.some((value) => value !== ''));
}

function authorOf(model: JsonObject): string {
  return String(asObject(model.author)._id);
}

/** True if one of several filters of one name matches: whether all of them must match is not stated. */
function hasOneOf(values: unknown, words: readonly string[]): boolean {
  if (!Array.isArray(values)) return true;
  return words.flatMap((word) => word.split(',')).some((each) => values.includes(each));
}

function contains(title: unknown, phrase: string): boolean {
  const words = phrase.toLowerCase().split(/\s+/);
  return words.some((word) => word !== '' && String(title).toLowerCase().includes(word));
}

function isMonotone(values: readonly number[]): boolean {
  return values.every((value, index) => !(value < (values[index - 1] ?? value)));
}
