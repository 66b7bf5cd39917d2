import { listModelsDefaults, listModelsRanges, modelSortOrders } from '@speech-api/types';
import type { Scenario } from '../step.ts';
import { inGroups, scenario, wrongIn } from './making.ts';
import { callModels, itemsOf } from './voice-lives.ts';

const pageSize = 2;

/** Each filter by itself, so that one that is ignored shows. */
const filtersAlone: readonly (readonly [what: string, name: string, value: string | readonly string[]])[] = [
  ['title', 'title', 'a'],
  ['a title that nothing has', 'title', 'speech-contract no such title'],
  ['self', 'self', 'true'],
  ['tag', 'tag', 'warm'],
  ['language', 'language', 'zh'],
  ['two languages', 'language', ['en', 'zh']],
  ['title language', 'title_language', 'zh'],
  ['an unknown author', 'author_id', 'speech-contract-nobody'],
];

export const lists: readonly Scenario[] = [
  scenario(
    'list-pages',
    14,
    'pages follow each other without repeating or leaving out',
    [1, 2].map((page) =>
      callModels(
        'listModels',
        `page ${page}`,
        () => ({
          query: [
            ['page_size', String(pageSize)],
            ['page_number', String(page)],
            ['sort_by', 'created_at'],
          ],
        }),
        { groups: inGroups('pages', 'pages') },
      ),
    ),
  ),
  scenario('list-page-too-small', 30, 'a page below the first is refused', [
    callModels(
      'listModels',
      'page number below the minimum',
      () => ({
        query: [['page_number', String(listModelsRanges.page_number.minimum - 1)]],
      }),
      { expectation: wrongIn('page_number', 'page_number is below its minimum', 'public') },
    ),
  ]),
  scenario('list-page-size-too-small', 30.5, 'a page of no voice models is refused', [
    callModels(
      'listModels',
      'page size below the minimum',
      () => ({ query: [['page_size', String(listModelsRanges.page_size.minimum - 1)]] }),
      { expectation: wrongIn('page_size', 'page_size is below its minimum', 'public') },
    ),
  ]),
  scenario('list-languages', 38, 'languages filter the list, sorted by use', [
    callModels('listModels', 'by language and title language, sorted by task_count', () => ({
      query: [
        ['language', 'en'],
        ['title_language', 'en'],
        ['sort_by', 'task_count'],
      ],
    })),
  ]),
  scenario('list-author', 43, 'an author filters the list', [
    callModels('listModels', 'to find an author', () => ({ query: [['page_size', '1']] }), {
      remember: (exchange, memory) => {
        const author = itemsOf(exchange)[0]?.author;
        if (typeof author === 'object' && author !== null && '_id' in author)
          memory.set('author', String(author._id));
      },
    }),
    callModels('listModels', 'by author', (memory) => ({ query: [['author_id', memory.get('author')]] }), {
      needs: ['author'],
    }),
  ]),
  ...filtersAlone.map(
    ([what, name, value], index): Scenario =>
      scenario(`list-by-${what.replaceAll(' ', '-')}`, 55 + index / 100, `the list is filtered by ${what}`, [
        callModels('listModels', `by ${what} alone`, () => ({
          query: [value].flat().map((entry) => [name, entry]),
        })),
      ]),
  ),
  scenario(
    'list-by-two-tags',
    55.4,
    'the order of two tags changes nothing',
    [
      ['warm', 'female'],
      ['female', 'warm'],
    ].map((tags) =>
      callModels(
        'listModels',
        `by the tags ${tags.join(' and ')}`,
        () => ({ query: tags.map((tag) => ['tag', tag] as const) }),
        { groups: inGroups('tags', 'filters') },
      ),
    ),
  ),
  scenario('list-page-beyond-the-end', 55.5, 'a page beyond the end is empty', [
    callModels('listModels', 'a page beyond the end', () => ({
      query: [
        ['self', 'true'],
        ['page_size', '100'],
        ['page_number', '1000'],
      ],
    })),
  ]),
  scenario('list-large-page', 55.6, 'a large page holds no more than it should', [
    callModels('listModels', 'a large page', () => ({ query: [['page_size', '100']] })),
  ]),
  scenario(
    'list-sorted',
    56,
    'every sort order is accepted',
    modelSortOrders.map((order) =>
      callModels('listModels', `sorted by ${order}`, () => ({ query: [['sort_by', order]] })),
    ),
  ),
  scenario('list-refusals', 57, 'parameters outside the spec are refused', [
    callModels(
      'listModels',
      'an unknown sort order',
      () => ({ query: [['sort_by', `${listModelsDefaults.sort_by}s`]] }),
      {
        expectation: wrongIn('sort_by', 'sort_by is not one of its values', 'public'),
      },
    ),
    callModels('listModels', 'a page that is not a number', () => ({ query: [['page_number', 'one']] }), {
      expectation: wrongIn('page_number', 'page_number is not an integer', 'public'),
    }),
  ]),
  scenario(
    'list-all-pages',
    58,
    'small pages to the end',
    [1, 2, 3, 4, 5, 6].map((page) =>
      callModels(
        'listModels',
        `small page ${page}`,
        () => ({
          query: [
            ['page_size', '1'],
            ['page_number', String(page)],
            ['sort_by', 'task_count'],
          ],
        }),
        { groups: inGroups('small pages', 'pages') },
      ),
    ),
  ),
];
