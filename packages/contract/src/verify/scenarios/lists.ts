import { listModelsDefaults, listModelsRanges, modelSortOrders } from '@speech-api/types';
import type { Scenario } from '../step.ts';
import { inGroups, wrongIn } from './making.ts';
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
  {
    name: 'list-pages',
    about: 'pages follow each other without repeating or leaving out',
    priority: 14,
    steps: [1, 2].map((page) =>
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
  },
  {
    name: 'list-page-too-small',
    about: 'a page below the first is refused',
    priority: 30,
    steps: [
      callModels(
        'listModels',
        'page number below the minimum',
        () => ({
          query: [['page_number', String(listModelsRanges.page_number.minimum - 1)]],
        }),
        { expectation: wrongIn('page_number', 'page_number is below its minimum', 'public') },
      ),
    ],
  },
  {
    name: 'list-page-size-too-small',
    about: 'a page of no voice models is refused',
    priority: 30.5,
    steps: [
      callModels(
        'listModels',
        'page size below the minimum',
        () => ({ query: [['page_size', String(listModelsRanges.page_size.minimum - 1)]] }),
        { expectation: wrongIn('page_size', 'page_size is below its minimum', 'public') },
      ),
    ],
  },
  {
    name: 'list-languages',
    about: 'languages filter the list, sorted by use',
    priority: 38,
    steps: [
      callModels('listModels', 'by language and title language, sorted by task_count', () => ({
        query: [
          ['language', 'en'],
          ['title_language', 'en'],
          ['sort_by', 'task_count'],
        ],
      })),
    ],
  },
  {
    name: 'list-author',
    about: 'an author filters the list',
    priority: 43,
    steps: [
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
    ],
  },
  ...filtersAlone.map(
    ([what, name, value], index): Scenario => ({
      name: `list-by-${what.replaceAll(' ', '-')}`,
      about: `the list is filtered by ${what}`,
      priority: 55 + index / 100,
      steps: [
        callModels('listModels', `by ${what} alone`, () => ({
          query: [value].flat().map((entry) => [name, entry]),
        })),
      ],
    }),
  ),
  {
    name: 'list-by-two-tags',
    about: 'the order of two tags changes nothing',
    priority: 55.4,
    steps: [
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
  },
  {
    name: 'list-page-beyond-the-end',
    about: 'a page beyond the end is empty',
    priority: 55.5,
    steps: [
      callModels('listModels', 'a page beyond the end', () => ({
        query: [
          ['self', 'true'],
          ['page_size', '100'],
          ['page_number', '1000'],
        ],
      })),
    ],
  },
  {
    name: 'list-large-page',
    about: 'a large page holds no more than it should',
    priority: 55.6,
    steps: [callModels('listModels', 'a large page', () => ({ query: [['page_size', '100']] }))],
  },
  {
    name: 'list-sorted',
    about: 'every sort order is accepted',
    priority: 56,
    steps: modelSortOrders.map((order) =>
      callModels('listModels', `sorted by ${order}`, () => ({ query: [['sort_by', order]] })),
    ),
  },
  {
    name: 'list-refusals',
    about: 'parameters outside the spec are refused',
    priority: 57,
    steps: [
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
    ],
  },
  {
    name: 'list-all-pages',
    about: 'small pages to the end',
    priority: 58,
    steps: [1, 2, 3, 4, 5, 6].map((page) =>
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
  },
];
