import { isDeepStrictEqual } from 'node:util';
import { headerNames } from '@speech-api/types';
import { chapter, type Problem, unless, unlessEqual } from '../problem.ts';
import { asObject } from '../specification/document.ts';
import { show } from '../specification/field-violations.ts';
import {
  aboutTheAccount,
  describeAttempts,
  isSuccess,
  ownTraceOf,
  shapeDifference,
} from '../subjects/answer.ts';
import {
  type ExchangeGroup,
  type GroupMember,
  isStale,
  listsOf,
  stepsOf,
} from '../subjects/exchange-group.ts';
import { speechComparisons } from './speech-comparisons.ts';

export const relationChapter = chapter((group: ExchangeGroup) => [group], {
  ...speechComparisons,

  'operation-answered': ({ id, relation, members }) => {
    // A missing answer has its own rule.
    if (relation !== 'operation' || members.every(({ status }) => status === 0)) return undefined;
    const statuses = members.map(({ status }) => status);
    const message = `${id} is not judged: ${describeAttempts(statuses)}.`;
    return unless(statuses.some(isSuccess), { message, expected: 'at least one success' });
  },

  'encodings-agree': (group) => (group.relation === 'encodings' ? differences(group) : undefined),

  'trace-changes-nothing': (group) => (group.relation === 'trace' ? differences(group) : undefined),

  'audio-is-repeatable': ({ relation, members, isDeterministic }) => {
    if (!isDeterministic || !['encodings', 'trace', 'repeat'].includes(relation)) return undefined;
    const [first, ...others] = members.filter(({ fingerprint }) => fingerprint !== undefined);
    if (first === undefined || others.length === 0) return undefined;
    return others.flatMap(({ exchange, fingerprint }) => {
      const message = `The audio of "${exchange.name}" has other samples than that of "${first.exchange.name}".`;
      const [expected, actual] = [first.fingerprint, fingerprint].map((print) => print?.slice(0, 16));
      return unless(fingerprint === first.fingerprint, { exchange, message, expected, actual });
    });
  },

  'answers-repeat': (group) => (group.relation === 'repeat' ? differences(group) : undefined),

  'trace-ids-are-not-shared': ({ relation, members }) => {
    if (relation !== 'untraced' || members.length < 2) return undefined;
    const first = new Map<string, string>();
    return members
      .flatMap(({ answer, exchange }) => {
        const id = answer === undefined ? undefined : ownTraceOf(answer);
        if (id === undefined) return [];
        const earlier = first.get(id);
        first.set(id, earlier ?? exchange.name);
        const message = `"${earlier}" and "${exchange.name}" began a trace each, and are answered with the same trace id ${id}.`;
        const where = `header ${headerNames.traceId}`;
        return unless(earlier === undefined, { exchange, message, where, actual: id });
      })
      .slice(0, 1);
  },

  'speech-is-transcribed': ({ relation, members }, limit) => {
    if (relation !== 'recordings') return undefined;
    const transcribed = members.flatMap(({ exchange, membership: { role = '' }, said }) => {
      const { text } = asObject(said);
      return typeof text === 'string' ? [{ exchange, text, spoken: [...wordsOf(role)] }] : [];
    });
    if (transcribed.length === 0) return undefined;
    return transcribed.flatMap(({ exchange, text, spoken }) => {
      const words = wordsOf(text);
      const share = spoken.filter((word) => words.has(word)).length / spoken.length;
      return unless(share >= limit('share_at_least'), {
        exchange,
        message: `The transcription has ${Math.round(100 * share)} % of the words that the service itself has spoken.`,
        where: '/text',
        actual: show(text),
      });
    });
  },

  'pages-repeat-nothing': (group) => {
    const pages = listsOf(group, 'pages');
    if (pages === undefined) return undefined;
    const seen = new Map<unknown, string>();
    return pages.flatMap(({ name, items }) => {
      const owners = new Map<unknown, string>();
      const problems = items.flatMap(({ _id }) => {
        owners.set(_id, name);
        return unless(!seen.has(_id), {
          message: `The voice model ${_id} is on "${seen.get(_id)}" and on "${name}".`,
        });
      });
      for (const [id, page] of owners) seen.set(id, page);
      return problems;
    });
  },

  'pages-leave-nothing-out': (group) => {
    const pages = listsOf(group, 'pages');
    const last = pages?.at(-1);
    if (pages === undefined || last === undefined || pages.some((page) => page.isTotalLimited))
      return undefined;
    const totals = new Set(pages.map(({ total }) => total));
    if (totals.size > 1)
      return [{ message: `The pages of one list have different totals: ${[...totals].join(', ')}.` }];
    // The run did not request all pages.
    if (last.hasMore !== false) return undefined;
    const { size } = new Set(pages.flatMap(({ items }) => items.map(({ _id }) => _id)));
    const message = `The pages of the list have ${size} voice models, the total is ${last.total}.`;
    return unlessEqual(size, last.total, { message });
  },

  'filter-order-changes-nothing': (group) => {
    const [first, ...others] = listsOf(group, 'filters') ?? [];
    if (first === undefined || others.length === 0 || first.isTotalLimited) return undefined;
    return others.flatMap(({ name, total }) => {
      const message = `"${first.name}" has ${first.total} voice models and "${name}" has ${total}; only the order of the values differs.`;
      return unlessEqual(total, first.total, { message, where: '/total' });
    });
  },

  'created-model-is-kept': (group) => {
    const { created, read } = stepsOf(group) ?? {};
    if (created === undefined || read === undefined) return undefined;
    return [
      ...unlessStatus(read, 200, {
        message: `Reading the voice model that was created is answered with ${read.status}.`,
      }),
      ...stable
        .filter((name) => read.model?.[name] !== undefined && created[name] !== undefined)
        .flatMap((name) => {
          const [expected, actual] = [show(created[name]), show(read.model?.[name])];
          return unless(isSame(read.model?.[name], created[name]), {
            exchange: read.exchange,
            severity: 'warning',
            message: `The voice model was created with the ${name} ${expected}, but has ${actual} when it is read.`,
            where: `/${name}`,
            expected,
            actual,
          });
        }),
    ];
  },

  'list-follows-changes': (group) => {
    const { created, update, uncertain = [], deleted, lists = [] } = stepsOf(group) ?? {};
    if (typeof created?._id !== 'string' || lists.length === 0) return undefined;
    const { _id, author } = created;
    const title = uncertain.includes('title') ? undefined : update?.title;
    return (['created', 'updated', 'deleted'] as const).flatMap((change) => {
      const ofChange = lists.filter(({ role }) => role === `list-${change}`);
      if ((change === 'updated' && update === undefined) || (change === 'deleted' && !deleted)) return [];
      const stale = ofChange.filter(({ model }) => model && isStale(change, model, { _id, title, author }));
      const [first] = stale;
      const isLasting = stale.length > 1 && stale.length === ofChange.length;
      const times = isLasting ? `${stale.length} times, the last one seconds later` : 'once';
      return unless(first === undefined, {
        exchange: first?.exchange,
        // A list may come from a copy that is behind for a moment.
        severity: isLasting ? undefined : 'warning',
        message: `The caller's list does not show that the voice model was ${change}: ${times}.`,
        where: '/items',
      });
    });
  },

  'created-model-speaks': (group) => {
    const { created, use } = stepsOf(group) ?? {};
    if (use === undefined || created?.state !== 'trained' || aboutTheAccount.includes(use.status))
      return undefined;
    if (use.status === 101) return [];
    const message = `The voice model that was created is answered with ${use.status} when it is used.`;
    return unlessStatus(use, 200, { message });
  },

  'update-is-kept': (group) => {
    const { update, uncertain = [], readUpdated, read, created } = stepsOf(group) ?? {};
    if (update === undefined || readUpdated?.model === undefined) return undefined;
    const { model, exchange } = readUpdated;
    const before = read?.model ?? created ?? {};
    const sent = Object.entries(update).filter(([name, value]) => value !== null && !changing.includes(name));
    const others = Object.entries(before).filter(([name]) => !(name in update) && !changing.includes(name));
    const certain = [...sent, ...others].filter(([name]) => !uncertain.includes(name));
    const fields = certain.flatMap(([name, value]) => {
      const [expected, actual] = [show(value), show(model[name])];
      return unless(isSame(model[name], value), {
        exchange,
        // That other fields stay unchanged is inferred; that the update happens is stated.
        severity: stated.includes(name) && name in update ? 'error' : 'warning',
        message: `After the update the ${name} is ${actual}, not ${expected}.`,
        where: `/${name}`,
        expected,
        actual,
      });
    });
    const [was = '', is] = [before.updated_at, model.updated_at].map(String);
    // A clock with whole seconds may show the same time twice.
    const tellsMoments = /\.\d*[1-9]/.test(was);
    const message = `After the update updated_at is still ${is}.`;
    const problem = { exchange, severity: 'warning', message, where: '/updated_at' } as const;
    return [...fields, ...unless(!tellsMoments || was !== is, problem)];
  },

  'deleted-model-is-gone': (group) => {
    const { deleted, readDeleted } = stepsOf(group) ?? {};
    if (deleted === undefined || readDeleted === undefined) return undefined;
    const { status } = readDeleted;
    return unlessStatus(readDeleted, 404, {
      // A deleted voice model must not be readable; the interface does not say which status tells that.
      severity: isSuccess(status) ? 'error' : 'warning',
      message: `Reading the voice model that was deleted is answered with ${status}, not 404.`,
    });
  },
});

function unlessStatus(
  { exchange, status }: Pick<GroupMember, 'exchange' | 'status'>,
  expected: number,
  problem: Problem,
): readonly Problem[] {
  return unlessEqual(status, expected, { exchange, ...problem });
}

/** The words of a text without case and punctuation. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

/** The fields of an update that the interface lists and that come back as they were sent. */
const stated = ['title', 'description', 'tags'];

/** Fields of a new voice model that stay as they are. */
const stable = [
  '_id',
  'type',
  'title',
  'visibility',
  'train_mode',
  'description',
  'tags',
  'created_at',
  'author',
];

/** Fields that other users, a training, the update itself or a service that hosts the pictures may change. */
const changing = [
  'updated_at',
  'cover_image',
  'state',
  'quality',
  'samples',
  'like_count',
  'mark_count',
  'shared_count',
  'task_count',
];

/** Differences in status, media type or shape between answers that should be alike. */
function differences({ members }: ExchangeGroup): readonly Problem[] | undefined {
  const [first, ...others] = members.filter(({ status }) => status > 0 && !aboutTheAccount.includes(status));
  return first === undefined || others.length === 0
    ? undefined
    : others.flatMap((member) => compare(first, member));
}

function compare(first: GroupMember, second: GroupMember): readonly Problem[] {
  const { exchange } = second;
  const pair = `"${first.exchange.name}" and "${exchange.name}"`;
  if (first.status !== second.status)
    return unlessEqual(second.status, first.status, { message: `The statuses of ${pair} differ.` });
  if (first.mediaType !== second.mediaType) {
    const problem = { exchange, message: `The media types of ${pair} differ.`, where: 'header content-type' };
    return unlessEqual(second.mediaType, first.mediaType, problem);
  }
  const difference = shapeDifference(first.said, second.said);
  const message = `The shapes of ${pair} differ: ${difference}.`;
  return unless(difference === undefined, { exchange, message });
}

/** True if an answered value equals the sent one. A form sends tags as one string or several, possibly with commas. */
export function isSame(answered: unknown, sent: unknown): boolean {
  if (isDeepStrictEqual(answered, sent)) return true;
  if (!Array.isArray(answered)) return false;
  const list = typeof sent === 'string' ? [[sent], sent.split(',').map((tag) => tag.trim())] : [];
  return list.some((entry) => isDeepStrictEqual(answered, entry));
}
