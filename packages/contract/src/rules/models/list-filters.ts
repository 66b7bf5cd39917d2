import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';
import { asObject, type JsonObject } from '../../specification/document.ts';
import type { JudgedModels } from '../../subjects/models.ts';
import { queryValues } from '../../subjects/models.ts';

export const listFilters: Rule<JudgedModels> = {
  id: 'list-filters',
  judge: ({ answer, models, page }) => {
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
};

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

/** Whether several filters of one name all hold or one of them is not stated: one is enough. */
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
