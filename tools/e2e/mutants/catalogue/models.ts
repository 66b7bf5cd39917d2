import { isObject, withField, withJson } from '../change/json.ts';
import { queryOf } from '../change/request.ts';
import type { Mutant, Shown } from '../mutant.ts';
import type { CarriedAnswer } from '../proxy/carried.ts';
import { generalError, onSuccess } from './interferences.ts';
import { items } from './lists.ts';

/** Voice models that are not what was made, changed or deleted. */
export function lives(): Mutant[] {
  return life.map(({ words, operation, shown, rules, interference }) => ({
    id: `${operation}: ${words}`,
    kind: 'life of a voice',
    operation,
    topic: shown,
    rules,
    interference,
  }));
}

interface LifeBreak {
  readonly words: string;
  readonly operation: Mutant['operation'];
  readonly shown: Shown;
  readonly rules: readonly string[];
  readonly interference: Mutant['interference'];
}

const created = (words: string, name: string, value: unknown, rule = 'created-as-asked'): LifeBreak => ({
  words,
  operation: 'createModel',
  shown: ['voice-life'],
  rules: [rule],
  interference: { answer: onSuccess((answer) => withField(answer, name, () => value)) },
});

/** Changes a field in what is read after a change, and not before: the answers tell them apart by their times. */
function secondRead(name: string, value: unknown): (answer: CarriedAnswer) => CarriedAnswer | undefined {
  return (answer) =>
    withJson(answer, (model) =>
      isObject(model) && model.updated_at !== model.created_at ? { ...model, [name]: value } : model,
    );
}

/** What PATCH answers, without anything being changed. */
const unchanged: CarriedAnswer = { status: 200, headers: { 'content-length': '0' }, body: Buffer.alloc(0) };

const patchIgnored = (mediaType: string): LifeBreak => ({
  words: `a change as ${mediaType} changes nothing`,
  operation: 'updateModel',
  shown: ['voice-life'],
  rules: ['update-is-kept'],
  interference: {
    instead: (request) =>
      request.headers['content-type']?.startsWith(mediaType) === true ? unchanged : undefined,
  },
});

const life: readonly LifeBreak[] = [
  {
    words: 'a change of one field empties another',
    operation: 'getModel',
    shown: ['voice-kept'],
    rules: ['update-is-kept'],
    interference: { answer: onSuccess(secondRead('description', '')) },
  },
  {
    words: 'a second deletion is taken',
    operation: 'deleteModel',
    shown: ['voice-kept'],
    rules: ['refusal-expected'],
    interference: {
      answer: (answer) => (answer.status === 404 ? unchanged : undefined),
    },
  },
  {
    words: 'what was just made is not found',
    operation: 'getModel',
    shown: ['voice-kept'],
    rules: ['success-expected', 'created-model-is-kept'],
    interference: {
      answer: onSuccess((answer) => generalError(answer, 404)),
    },
  },
  {
    words: 'what was just made has lost its description',
    operation: 'getModel',
    shown: ['voice-kept'],
    rules: ['created-model-is-kept'],
    interference: { answer: onSuccess((answer) => withField(answer, 'description', () => '')) },
  },
  created('has another title than the one asked for', 'title', 'Nobody'),
  created('has another description', 'description', ''),
  created('has lost its tags', 'tags', []),
  created('is more visible than was asked', 'visibility', 'public'),
  created('says it was trained in full', 'train_mode', 'full'),
  created('is for something else than speech', 'type', 'svc'),
  created('is fast and not trained', 'state', 'created', 'fast-model-is-trained'),
  created('is fast and failed', 'state', 'failed', 'fast-model-is-trained'),
  created('is updated before it is made', 'updated_at', '2001-01-01T00:00:00Z', 'model-times'),
  {
    words: 'is not in the caller’s list',
    operation: 'listModels',
    shown: ['voice-life'],
    rules: ['created-model-is-kept'],
    interference: {
      answer: onSuccess((answer, request) =>
        queryOf(request).get('self') === 'true'
          ? withJson(answer, () => ({ total: 0, items: [], has_more: false }))
          : undefined,
      ),
    },
  },
  {
    words: 'has another title in the list',
    operation: 'listModels',
    shown: ['voice-life'],
    rules: ['created-model-is-kept', 'list-filters'],
    interference: { answer: onSuccess(items((all) => all.map((item) => ({ ...item, title: 'Nobody' })))) },
  },
  {
    words: 'answers with another voice model',
    operation: 'getModel',
    shown: ['voice-read-and-used'],
    rules: ['model-is-the-one-asked-for'],
    interference: { answer: onSuccess((answer) => withField(answer, '_id', () => 'somebody-else')) },
  },
  {
    words: 'is updated before it is made',
    operation: 'getModel',
    shown: ['voice-read-and-used'],
    rules: ['model-times'],
    interference: {
      answer: onSuccess((answer) => withField(answer, 'updated_at', () => '2001-01-01T00:00:00Z')),
    },
  },
  {
    words: 'a voice model is refused that was just listed',
    operation: 'getModel',
    shown: ['voice-read-and-used'],
    rules: ['success-expected'],
    interference: {
      answer: onSuccess((answer) => generalError(answer, 404)),
    },
  },
  ...[
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/msgpack',
  ].map(patchIgnored),
  {
    words: 'tags are added to the old ones',
    operation: 'getModel',
    shown: ['voice-life'],
    rules: ['update-is-kept'],
    interference: {
      answer: onSuccess((answer) =>
        withField(answer, 'tags', (tags) => (Array.isArray(tags) ? ['before', ...tags] : tags)),
      ),
    },
  },
  {
    words: 'tags are joined by commas',
    operation: 'getModel',
    shown: ['voice-life'],
    rules: ['update-is-kept'],
    interference: {
      answer: onSuccess((answer) =>
        withField(answer, 'tags', (tags) => (Array.isArray(tags) ? [tags.join(',')] : tags)),
      ),
    },
  },
  {
    words: 'is deleted in words alone',
    operation: 'deleteModel',
    shown: ['voice-life'],
    rules: ['deleted-model-is-gone'],
    interference: { instead: () => unchanged },
  },
  {
    words: 'a saved voice cannot be used',
    operation: 'createSpeech',
    shown: ['voice-read-and-used'],
    rules: ['success-expected', 'created-model-speaks'],
    interference: {
      answer: onSuccess((answer) => generalError(answer, 400)),
    },
  },
];

/** Wallets that are somebody else's, or say what cannot be. */
export function wallets(): Mutant[] {
  const one = (
    operation: Mutant['operation'],
    words: string,
    name: string,
    value: unknown,
    rules: readonly string[],
  ): Mutant => ({
    id: `${operation}: ${words}`,
    kind: 'wallet',
    operation,
    topic: 'success',
    rules,
    interference: { answer: onSuccess((answer) => withField(answer, name, () => value)) },
  });
  return [
    one('getApiCredit', 'credit has a comma', 'credit', '99,95', ['credit-is-decimal']),
    one('getApiCredit', 'credit is not a number', 'credit', 'NaN', ['credit-is-decimal']),
    one('getApiCredit', 'credit has a currency', 'credit', '$99.95', ['credit-is-decimal']),
    one('getApiCredit', 'credit is empty', 'credit', '', ['credit-is-decimal']),
    one('getApiCredit', 'is updated before it is made', 'updated_at', '2001-01-01T00:00:00Z', [
      'wallet-times',
    ]),
    one('getPackage', 'is updated before it is made', 'updated_at', '2001-01-01T00:00:00Z', ['wallet-times']),
    one('getPackage', 'is finished before it is made', 'finished_at', '2001-01-01T00:00:00Z', [
      'wallet-times',
    ]),
  ];
}
