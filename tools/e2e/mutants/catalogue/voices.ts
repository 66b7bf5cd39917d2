import type { AnswerChange, CarriedAnswer, CarriedRequest } from '../carried.ts';
import { field, type JsonObject, object, onStatus, query, queryOf, refused, when } from '../change.ts';
import { type Break, type Mutant, type Row, type Rows, table } from '../mutant.ts';

type Items = readonly JsonObject[];

/** Other voice models on a page. */
const items = (change: (items: Items, request: CarriedRequest) => Items): AnswerChange =>
  object((page, request) =>
    Array.isArray(page.items) ? { ...page, items: change(page.items, request) } : page,
  );

const otherPage = (change: (page: number) => number): Break => ({
  request: query((given) => {
    const page = given.get('page_number');
    if (page !== null) given.set('page_number', String(change(Number(page))));
  }),
});

/** A parameter without effect. */
const ignored = (name: string): Break => ({ request: query((given) => given.delete(name)) });

const leftOut = ['pages-leave-nothing-out', 'list-page-size', 'list-counts'];
const allPages = ['list-all-pages'];
const hasMore = (told: boolean) => field('has_more', () => told);

const lists: Rows = {
  'every page is the first': ['pages-repeat-nothing', otherPage(() => 1)],
  'page_size is ignored': [['list-page-size', 'pages-repeat-nothing'], ignored('page_size')],
  'pages are one short': [leftOut, items((all) => all.slice(0, -1))],
  'one voice model is twice on a page': [
    'list-is-distinct',
    items(([first]) => (first ? [first, first] : [])),
  ],
  'total is negative': [['model-counts', 'list-counts'], field('total', () => -1)],
  'has_more is always false': [['pages-end', 'list-counts'], hasMore(false)],
  'pages are counted from zero': [leftOut, otherPage((page) => page + 1), allPages],
  'total is one too many': [leftOut, field('total', (total) => Number(total) + 1), allPages],
  'has_more is always true': [['pages-end', 'list-counts'], hasMore(true), allPages],
  'title is ignored': ['list-filters', ignored('title'), ['list-by-a-title-that-nothing-has']],
  'tag is ignored': ['list-filters', ignored('tag'), ['list-by-tag']],
  'self is ignored': ['list-filters', ignored('self'), ['list-by-self']],
  'author_id is ignored': ['list-filters', ignored('author_id'), ['list-by-an-unknown-author']],
  'language is ignored': ['list-filters', ignored('language'), ['list-by-language']],
  'only the last of two tags counts': [
    'filter-order-changes-nothing',
    { request: query((given) => given.has('tag') && given.set('tag', given.getAll('tag').at(-1) ?? '')) },
    ['list-by-two-tags'],
  ],
  'sort_by is ignored': [
    'list-order',
    items(([first, second, ...rest], request) =>
      first && second && queryOf(request).has('sort_by') ? [second, first, ...rest] : [],
    ),
    ['list-sorted'],
  ],
  'a page beyond the end has more': [
    'list-ends',
    when((request) => Number(queryOf(request).get('page_number') ?? 1) > 1, hasMore(true)),
    ['list-page-beyond-the-end'],
  ],
};

/** Answer to a change or a deletion that was not carried out. */
const nothingDone: CarriedAnswer = { status: 200, headers: { 'content-length': '0' }, body: Buffer.alloc(0) };

const longAgo = '2001-01-01T00:00:00Z';
const asAsked = 'created-as-asked';
const kept = 'created-model-is-kept';
const updateIsKept = 'update-is-kept';
const afterChange = ['voice-kept'];

const created: Rows = {
  'has another title than the one asked for': [asAsked, field('title', () => 'Nobody')],
  'has another description': [asAsked, field('description', () => '')],
  'has lost its tags': [asAsked, field('tags', () => [])],
  'is more visible than was asked': [asAsked, field('visibility', () => 'public')],
  'says it was trained in full': [asAsked, field('train_mode', () => 'full')],
  'is fast and not trained': ['fast-model-is-trained', field('state', () => 'created')],
  'is updated before it is made': ['model-times', field('updated_at', () => longAgo)],
};

const read: Rows = {
  // The answers before and after a change differ in their times.
  'a change of one field empties another': [
    updateIsKept,
    object((model) => (model.updated_at === model.created_at ? model : { ...model, description: '' })),
    afterChange,
  ],
  'updated_at is always created_at': [
    updateIsKept,
    object((model) => ({ ...model, updated_at: model.created_at })),
    afterChange,
  ],
  'what was just made is not found': [['success-expected', kept], refused(404), afterChange],
  'what was just made has lost its description': [kept, field('description', () => ''), afterChange],
  'answers with another voice model': ['model-is-the-one-asked-for', field('_id', () => 'somebody-else')],
  'is updated before it is made': ['model-times', field('updated_at', () => longAgo)],
};

/** A change that is accepted in one media type and not made. */
const unchanged = (type: string): Break => ({
  instead: ({ headers }) => (headers['content-type']?.startsWith(type) ? nothingDone : undefined),
});

const changed: Rows = {
  'a change as JSON changes nothing': [updateIsKept, unchanged('application/json'), afterChange],
  'a change by a form changes nothing': [
    updateIsKept,
    unchanged('application/x-www-form-urlencoded'),
    afterChange,
  ],
  'a change by a form of parts changes nothing': [updateIsKept, unchanged('multipart/form-data')],
  'a change as MessagePack changes nothing': [updateIsKept, unchanged('application/msgpack')],
};

const deleted: Rows = {
  'a second deletion is accepted': [
    'refusal-expected',
    { answer: onStatus(404, () => nothingDone) },
    afterChange,
  ],
  'is deleted in words alone': ['deleted-model-is-gone', { instead: () => nothingDone }, ['voice-life']],
};

const listed: Rows = {
  'a new voice model is not in the caller’s list': [
    kept,
    object((page, request) =>
      queryOf(request).get('self') === 'true' ? { ...page, total: 0, items: [], has_more: false } : page,
    ),
  ],
};

const life = 'life of a voice';

/** Lists whose pages, counts, filters or order are wrong, and voice models that are not what was made, changed or deleted. */
export const voices: readonly Mutant[] = [
  ...table('listModels', 'paging and filters', lists, ['list-pages']),
  ...table('createModel', life, created, ['voice-life']),
  ...table('getModel', life, read),
  ...table('updateModel', life, changed, ['voice-life']),
  ...table('deleteModel', life, deleted),
  ...table('listModels', life, listed, ['voice-life']),
  ...table('createSpeech', life, {
    'a saved voice cannot be used': [
      ['success-expected', 'created-model-speaks'],
      refused(400),
      ['voice-read-and-used'],
    ],
  }),
];

const credit = (told: string): Row => ['credit-is-decimal', field('credit', () => told)];
const before = (name: string): Row => ['wallet-times', field(name, () => longAgo)];

/** Wallets that are somebody else's, or say what cannot be. */
export const wallets: readonly Mutant[] = [
  ...table('getApiCredit', 'wallet', {
    'credit has a comma': credit('99,95'),
    'credit has a currency': credit('$99.95'),
    'credit is empty': credit(''),
    'updated_at is before created_at': before('updated_at'),
  }),
  ...table('getPackage', 'wallet', {
    'updated_at is before created_at': before('updated_at'),
    'finished_at is before created_at': before('finished_at'),
  }),
];

interface Segment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const segments = (
  change: (segments: readonly Segment[], duration: number) => readonly Segment[],
): AnswerChange =>
  object((body) => ({ ...body, segments: change(body.segments as Segment[], Number(body.duration)) }));

const duration = (change: (seconds: number) => number): AnswerChange =>
  field('duration', (seconds) => change(Number(seconds)));

const inside = 'transcription-segments-inside';

const transcribed: Rows = {
  'duration is in milliseconds': ['transcription-duration-unit', duration((seconds) => seconds * 1000)],
  'duration is a second too long': ['transcription-duration', duration((seconds) => seconds + 1)],
  'a segment ends after the audio': [
    inside,
    segments((all, seconds) => all.with(-1, { ...(all.at(-1) as Segment), end: seconds + 1 })),
  ],
  'segment times are in milliseconds': [
    inside,
    segments((all) => all.map((one) => ({ ...one, start: one.start * 1000, end: one.end * 1000 }))),
  ],
  // Speech in a single segment is cut in two first.
  'a segment starts before zero': [
    'transcription-segments-in-order',
    segments((all) => all.map((one) => ({ ...one, start: -1 }))),
  ],
  'no segments although they are asked for': ['timed-segments-when-asked', segments(() => [])],
  'segments although nobody asks': [
    'no-segments-unless-asked',
    segments((_all, seconds) => [{ text: 'a', start: 0, end: seconds / 2 }]),
    ['transcription-shortest'],
  ],
  'the same words for every recording': [
    'other-recording-reads-different',
    field('text', () => 'Whatever you say, this is what I hear.'),
    ['transcription-of-mp3', 'transcription-of-wav'],
  ],
};

/** Transcriptions whose times cannot be. */
export const transcriptions: readonly Mutant[] = table('createTranscription', 'transcription', transcribed);
