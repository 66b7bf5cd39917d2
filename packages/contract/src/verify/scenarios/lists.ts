import { listModelsDefaults, listModelsRanges, modelSortOrders } from '@speech-api/types';
import { asObject } from '../../specification/document.ts';
import type { Query, Scenario } from '../step.ts';
import { call, inGroups, quick, rememberText, scenario, wrongIn } from './making.ts';
import { firstOf } from './voice-lives.ts';

/** Each filter alone, so that an ignored filter is detected. */
const filtersAlone: readonly (readonly [what: string, query: Query])[] = [
  ['title', { title: 'a' }],
  ['a title that nothing has', { title: 'speech-contract no such title' }],
  ['self', { self: true }],
  ['tag', { tag: 'warm' }],
  ['language', { language: 'zh' }],
  ['two languages', { language: ['en', 'zh'] }],
  ['title language', { title_language: 'zh' }],
  ['an unknown author', { author_id: 'speech-contract-nobody' }],
];

const list = (what: string, query: Query, group: Parameters<typeof inGroups> | undefined = undefined) =>
  call('listModels', what, { query }, group && { groups: inGroups(...group) });

/** A query with one wrong parameter. */
const wrong = (what: string, name: string, value: string | number, is: string) =>
  call(
    'listModels',
    what,
    { query: { [name]: value } },
    { expectation: wrongIn(name, `${name} is ${is}`, 'public') },
  );

const { page_number: numbers, page_size: sizes } = listModelsRanges;

export const lists: readonly Scenario[] = [
  quick(
    'list-pages',
    'pages follow each other without repeating or leaving out',
    [1, 2].map((page) =>
      list(`page ${page}`, { page_size: 2, page_number: page, sort_by: 'created_at' }, ['pages', 'pages']),
    ),
  ),
  quick('list-page-too-small', 'a page below the first is refused', [
    wrong('page number below the minimum', 'page_number', numbers.minimum - 1, 'below its minimum'),
  ]),
  quick('list-page-size-too-small', 'a page of no voice models is refused', [
    wrong('page size below the minimum', 'page_size', sizes.minimum - 1, 'below its minimum'),
  ]),
  scenario('list-languages', 'languages filter the list, sorted by use', [
    list('by language and title language, sorted by task_count', {
      language: 'en',
      title_language: 'en',
      sort_by: 'task_count',
    }),
  ]),
  scenario('list-author', 'an author filters the list', [
    call(
      'listModels',
      'to find an author',
      { query: { page_size: 1 } },
      rememberText('author', (answered) => asObject(firstOf(answered).author)._id),
    ),
    call('listModels', 'by author', (memory) => ({ query: { author_id: memory.get('author') } }), {
      needs: ['author'],
    }),
  ]),
  ...filtersAlone.map(([what, query]) =>
    (what === 'a title that nothing has' ? quick : scenario)(
      `list-by-${what.replaceAll(' ', '-')}`,
      `the list is filtered by ${what}`,
      [list(`by ${what} alone`, query)],
    ),
  ),
  scenario(
    'list-by-two-tags',
    'the order of two tags changes nothing',
    [
      ['warm', 'female'],
      ['female', 'warm'],
    ].map((tag) => list(`by the tags ${tag.join(' and ')}`, { tag }, ['tags', 'filters'])),
  ),
  scenario('list-page-beyond-the-end', 'a page beyond the end is empty', [
    list('a page beyond the end', { self: true, page_size: 100, page_number: 1000 }),
  ]),
  scenario('list-large-page', 'a large page holds no more than it should', [
    list('a large page', { page_size: 100 }),
  ]),
  scenario(
    'list-sorted',
    'every sort order is accepted',
    modelSortOrders.map((order) => list(`sorted by ${order}`, { sort_by: order })),
  ),
  scenario('list-refusals', 'parameters outside the spec are refused', [
    wrong('an unknown sort order', 'sort_by', `${listModelsDefaults.sort_by}s`, 'not one of its values'),
    wrong('a page that is not a number', 'page_number', 'one', 'not an integer'),
  ]),
  scenario(
    'list-all-pages',
    'small pages to the end',
    [1, 2, 3, 4, 5, 6].map((page) =>
      list(`small page ${page}`, { page_size: 1, page_number: page, sort_by: 'task_count' }, [
        'small pages',
        'pages',
      ]),
    ),
  ),
];
