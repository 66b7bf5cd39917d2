import { isObject, type JsonObject, withField, withJson } from '../change/json.ts';
import { queryOf, withQuery } from '../change/request.ts';
import type { Mutant, Shown } from '../mutant.ts';
import type { CarriedAnswer, CarriedRequest } from '../proxy/carried.ts';
import { onSuccess } from './interferences.ts';

/** Lists whose pages, counts, filters or order are wrong. */
export function lists(): Mutant[] {
  return [...pages, ...filters].map(({ words, shown, rules, request, answer }) => ({
    id: `listModels: ${words}`,
    kind: 'paging and filters',
    operation: 'listModels',
    topic: shown,
    rules,
    interference: {
      ...(request !== undefined && { request }),
      ...(answer !== undefined && { answer: onSuccess(answer) }),
    },
  }));
}

interface ListBreak {
  readonly words: string;
  readonly shown: Shown;
  readonly rules: readonly string[];
  readonly request?: (request: CarriedRequest) => CarriedRequest | undefined;
  readonly answer?: (answer: CarriedAnswer, request: CarriedRequest) => CarriedAnswer | undefined;
}

type Items = readonly JsonObject[];

/** Changes the items of a page. */
export const items = (change: (items: Items, page: JsonObject) => Items) => (answer: CarriedAnswer) =>
  withJson(answer, (page) =>
    isObject(page) && Array.isArray(page.items) ? { ...page, items: change(page.items, page) } : page,
  );

const pageOf = (request: CarriedRequest): number => Number(queryOf(request).get('page_number') ?? 1);

const pages: readonly ListBreak[] = [
  {
    words: 'every page is the first',
    shown: ['list-pages'],
    rules: ['pages-repeat-nothing'],
    request: (request) =>
      withQuery(request, (query) => {
        if (query.has('page_number')) query.set('page_number', '1');
      }),
  },
  {
    words: 'pages are counted from zero',
    shown: ['list-all-pages'],
    rules: ['pages-leave-nothing-out', 'list-page-size', 'list-counts'],
    request: (request) =>
      withQuery(request, (query) => {
        if (query.has('page_number')) query.set('page_number', String(pageOf(request) + 1));
      }),
  },
  {
    words: 'every second page is skipped',
    shown: ['list-all-pages'],
    rules: ['pages-leave-nothing-out', 'list-page-size', 'list-counts'],
    request: (request) =>
      withQuery(request, (query) => {
        if (query.has('page_number')) query.set('page_number', String(2 * pageOf(request) - 1));
      }),
  },
  {
    words: 'page_size is ignored',
    shown: ['list-pages'],
    rules: ['list-page-size', 'pages-repeat-nothing'],
    request: (request) => withQuery(request, (query) => query.delete('page_size')),
  },
  {
    words: 'pages are one short',
    shown: ['list-pages'],
    rules: ['list-page-size', 'pages-leave-nothing-out', 'list-counts'],
    answer: items((all) => all.slice(0, -1)),
  },
  {
    words: 'pages are empty, whatever total says',
    shown: ['list-pages'],
    rules: ['list-page-size', 'list-counts', 'pages-leave-nothing-out'],
    answer: items(() => []),
  },
  {
    words: 'one voice model stands twice on a page',
    shown: ['list-pages'],
    rules: ['list-is-distinct'],
    answer: items(([first]) => (first === undefined ? [] : [first, first])),
  },
  {
    words: 'pages overlap by one voice model',
    shown: ['list-pages'],
    rules: ['pages-repeat-nothing'],
    request: (request) =>
      withQuery(request, (query) => {
        if (query.get('page_size') !== '2') return;
        // Two of three at a time: what was last on the first page is first on the second.
        query.set('page_size', '3');
        query.set('page_number', '1');
      }),
    answer: (answer, request) =>
      queryOf(request).get('page_size') === '2'
        ? items((all) => (pageOf(request) === 1 ? all.slice(0, 2) : all.slice(1, 3)))(answer)
        : undefined,
  },
  {
    words: 'total is what the page has',
    shown: ['list-pages'],
    rules: ['list-counts', 'pages-leave-nothing-out'],
    answer: (answer) =>
      withJson(answer, (page) =>
        isObject(page) && Array.isArray(page.items) ? { ...page, total: page.items.length } : page,
      ),
  },
  {
    words: 'total is one too many',
    shown: ['list-all-pages'],
    rules: ['pages-leave-nothing-out', 'list-counts'],
    answer: (answer) => withField(answer, 'total', (total) => Number(total) + 1),
  },
  {
    words: 'total is zero',
    shown: ['list-pages'],
    rules: ['list-counts'],
    answer: (answer) => withField(answer, 'total', () => 0),
  },
  {
    words: 'total is negative',
    shown: ['list-pages'],
    rules: ['model-counts', 'list-counts'],
    answer: (answer) => withField(answer, 'total', () => -1),
  },
  {
    words: 'total changes from page to page',
    shown: ['list-all-pages'],
    rules: ['pages-leave-nothing-out'],
    answer: (answer, request) => withField(answer, 'total', (total) => Number(total) + pageOf(request) - 1),
  },
  {
    words: 'has_more is always true',
    shown: ['list-all-pages'],
    rules: ['pages-end', 'list-counts'],
    answer: (answer) => withField(answer, 'has_more', () => true),
  },
  {
    words: 'has_more is always false',
    shown: ['list-pages'],
    rules: ['pages-end', 'list-counts'],
    answer: (answer) => withField(answer, 'has_more', () => false),
  },
  {
    words: 'has_more is turned around',
    shown: ['list-pages'],
    rules: ['pages-end', 'list-counts'],
    answer: (answer) => withField(answer, 'has_more', (more) => more !== true),
  },
];

/** A filter without effect. */
const ignored = (name: string, shown: Shown, rule: string): ListBreak => ({
  words: `${name} is ignored`,
  shown,
  rules: [rule],
  request: (request) => withQuery(request, (query) => query.delete(name)),
});

const filters: readonly ListBreak[] = [
  ignored('title', ['list-by-a-title-that-nothing-has'], 'list-filters'),
  ignored('tag', ['list-by-tag'], 'list-filters'),
  ignored('self', ['list-by-self'], 'list-filters'),
  ignored('author_id', ['list-by-an-unknown-author'], 'list-filters'),
  ignored('language', ['list-by-language'], 'list-filters'),
  {
    words: 'only the last of two tags counts',
    shown: ['list-by-two-tags'],
    rules: ['filter-order-changes-nothing'],
    request: (request) =>
      withQuery(request, (query) => {
        const last = query.getAll('tag').at(-1);
        if (last !== undefined) query.set('tag', last);
      }),
  },
  {
    words: 'sort_by is ignored',
    shown: ['list-sorted'],
    rules: ['list-order'],
    answer: (answer, request) =>
      queryOf(request).has('sort_by')
        ? items(([first, second, ...rest]) => (first && second ? [second, first, ...rest] : []))(answer)
        : undefined,
  },
];
