import { isDeepStrictEqual } from 'node:util';
import { headerNames } from '@speech-api/types';
import { type Problem, type Rules, unless } from '../problem.ts';
import { asObject } from '../specification/document.ts';
import { show } from '../specification/field-violations.ts';
import { type Answer, traceIdOf } from '../subjects/answer.ts';
import { describeAttempts, isSuccess } from '../subjects/attempts.ts';
import { type ExchangeGroup, type GroupMember, listsOf, stepsOf } from '../subjects/exchange-group.ts';
import { shapeDifference } from '../subjects/json.ts';
import { speechComparisons } from './speech-comparisons.ts';

export const relationRules: Rules<ExchangeGroup> = {
  ...speechComparisons,

  'operation-answered': ({ id, relation, members }) => {
    // That no answer comes at all is an error of its own.
    if (relation !== 'operation' || members.every(({ status }) => status === 0)) return undefined;
    const statuses = members.map(({ status }) => status);
    return unless(statuses.some(isSuccess), {
      message: `${id} is not judged: ${describeAttempts(statuses)}.`,
      expected: 'at least one success',
    });
  },

  'encodings-agree': (group) => (group.relation === 'encodings' ? differences(group) : undefined),

  'trace-changes-nothing': (group) => (group.relation === 'trace' ? differences(group) : undefined),

  'audio-is-repeatable': ({ relation, members, isDeterministic }) => {
    const prints = members.filter(({ fingerprint }) => fingerprint !== undefined);
    if (
      !isDeterministic ||
      prints.length < 2 ||
      (relation !== 'encodings' && relation !== 'trace' && relation !== 'repeat')
    )
      return undefined;
    const [first, ...others] = prints;
    return others.flatMap(({ exchange, fingerprint }) =>
      unless(fingerprint === first?.fingerprint, {
        exchange,
        message: `The audio of "${exchange.name}" has other samples than that of "${first?.exchange.name}".`,
        expected: (first?.fingerprint ?? '').slice(0, 16),
        actual: (fingerprint ?? '').slice(0, 16),
      }),
    );
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
        return unless(earlier === undefined, {
          exchange,
          message: `"${earlier}" and "${exchange.name}" began a trace each, and are answered with the same trace id ${id}.`,
          where: `header ${headerNames.traceId}`,
          actual: id,
        });
      })
      .slice(0, 1);
  },

  'other-recording-reads-different': ({ relation, members }) => {
    if (relation !== 'recordings') return undefined;
    const heard = members.flatMap(({ exchange, membership, said }) => {
      const { text } = asObject(said);
      return typeof text === 'string' && text.trim() !== '' ? [{ exchange, text, of: membership.role }] : [];
    });
    const [first, ...others] = heard;
    if (first === undefined || others.every(({ of }) => of === first.of)) return undefined;
    return others
      .filter(({ of }) => of !== first.of)
      .flatMap(({ exchange, text }) =>
        unless(text !== first.text, {
          exchange,
          message: `"${first.exchange.name}" and "${exchange.name}" have the same words, for recordings of different texts.`,
          where: '/text',
          actual: show(text),
        }),
      );
  },

  'pages-repeat-nothing': (group) => {
    const pages = listsOf(group, 'pages');
    if (pages === undefined) return undefined;
    const seen = new Map<unknown, string>();
    return pages.flatMap(({ name, items }) => {
      const own = new Map<unknown, string>();
      const problems = items.flatMap(({ _id }) => {
        own.set(_id, name);
        return unless(!seen.has(_id), {
          message: `The voice model ${_id} is on "${seen.get(_id)}" and on "${name}".`,
        });
      });
      for (const [id, page] of own) seen.set(id, page);
      return problems;
    });
  },

  'pages-leave-nothing-out': (group) => {
    const pages = listsOf(group, 'pages');
    const last = pages?.at(-1);
    if (pages === undefined || last === undefined) return undefined;
    const totals = new Set(pages.map(({ total }) => total));
    if (totals.size > 1)
      return [{ message: `The pages of one list have different totals: ${[...totals].join(', ')}.` }];
    // Not all pages were asked for.
    if (last.hasMore !== false) return undefined;
    const ids = new Set(pages.flatMap(({ items }) => items.map(({ _id }) => _id)));
    return unless(ids.size === last.total, {
      message: `The pages of the list have ${ids.size} voice models, the total is ${last.total}.`,
      expected: String(last.total),
      actual: String(ids.size),
    });
  },

  'pages-end': (group) => {
    const pages = listsOf(group, 'pages');
    if (pages === undefined || pages.length < 2) return undefined;
    return pages.flatMap(({ name, hasMore, items }, index) => {
      const isLast = index === pages.length - 1;
      if (isLast) return [];
      return unless(hasMore === true || (pages[index + 1]?.items.length ?? 0) === 0, {
        message: `"${name}" says that no page follows, and one does.`,
        expected: 'true',
        actual: `${hasMore}, with ${items.length} items`,
      });
    });
  },

  'filter-order-changes-nothing': (group) => {
    const [first, ...others] = listsOf(group, 'filters') ?? [];
    if (first === undefined || others.length === 0) return undefined;
    return others.flatMap(({ name, total }) =>
      unless(total === first.total, {
        message: `"${first.name}" has ${first.total} voice models and "${name}" has ${total}; only the order of the values differs.`,
        where: '/total',
        expected: String(first.total),
        actual: String(total),
      }),
    );
  },

  'created-model-is-kept': (group) => {
    const steps = stepsOf(group);
    const created = steps?.created;
    if (steps === undefined || created === undefined) return undefined;
    const { read, list } = steps;
    if (read === undefined && list === undefined) return undefined;
    const stands = list?.items.some(({ _id }) => _id === created._id);
    return [
      ...(read === undefined
        ? []
        : unless(read.status === 200, {
            exchange: read.exchange,
            severity: 'error',
            message: `The voice model that was created is answered with ${read.status} when it is read.`,
            expected: '200',
            actual: String(read.status),
          })),
      ...kept
        .filter((name) => read?.model?.[name] !== undefined && created[name] !== undefined)
        .flatMap((name) =>
          unless(isSame(read?.model?.[name], created[name]), {
            ...(read !== undefined && { exchange: read.exchange }),
            severity: 'warning',
            message: `The voice model was created with the ${name} ${show(created[name])}, and is read with ${show(read?.model?.[name])}.`,
            where: `/${name}`,
            expected: show(created[name]),
            actual: show(read?.model?.[name]),
          }),
        ),
      ...unless(stands !== false || list?.hasMore === true, {
        ...(list !== undefined && { exchange: list.exchange }),
        severity: 'warning',
        message: "The voice model that was created is not in the caller's list.",
      }),
    ];
  },

  'created-model-speaks': (group) => {
    const steps = stepsOf(group);
    if (
      steps?.use === undefined ||
      steps.created?.state !== 'trained' ||
      notAboutTheModel.includes(steps.use.status)
    )
      return undefined;
    return unless(steps.use.status === 200 || steps.use.status === 101, {
      exchange: steps.use.exchange,
      message: `The voice model that was created is answered with ${steps.use.status} when it is used.`,
      expected: '200',
      actual: String(steps.use.status),
    });
  },

  'update-is-kept': (group) => {
    const steps = stepsOf(group);
    const { update, readUpdated, read, created } = steps ?? {};
    if (update === undefined || readUpdated?.model === undefined) return undefined;
    const { model, exchange } = readUpdated;
    const before = read?.model ?? created ?? {};
    const sent = Object.entries(update).filter(([, value]) => value !== null);
    const others = Object.keys(before).filter((name) => !(name in update) && !changing.includes(name));
    const fields = [...sent, ...others.map((name) => [name, before[name]] as const)].flatMap(
      ([name, value]) =>
        unless(isSame(model[name], value), {
          exchange,
          // That a field stays as it was is inferred; that an update takes place is stated.
          severity: stated.includes(name) && name in update ? 'error' : 'warning',
          message: `After the update the ${name} is ${show(model[name])}, not ${show(value)}.`,
          where: `/${name}`,
          expected: show(value),
          actual: show(model[name]),
        }),
    );
    const [was, is] = [before.updated_at, model.updated_at].map(String);
    // A clock that tells seconds alone may show the same one twice.
    const tellsMoments = /\.\d*[1-9]/.test(was ?? '');
    return [
      ...fields,
      ...unless(!tellsMoments || was !== is, {
        exchange,
        severity: 'warning',
        message: `After the update updated_at is still ${is}.`,
        where: '/updated_at',
      }),
    ];
  },

  'deleted-model-is-gone': (group) => {
    const { deleted, readDeleted } = stepsOf(group) ?? {};
    if (deleted === undefined || deleted.status >= 300 || readDeleted === undefined) return undefined;
    return unless(readDeleted.status === 404, {
      exchange: readDeleted.exchange,
      // A deleted voice model that can still be read was not deleted; how its absence is said is not stated.
      severity: isSuccess(readDeleted.status) ? 'error' : 'warning',
      message: `The voice model that was deleted is answered with ${readDeleted.status}, not 404.`,
      expected: '404',
      actual: String(readDeleted.status),
    });
  },
};

/** The fields of an update that the interface lists. */
const stated = ['title', 'description', 'cover_image', 'tags'];

const kept = [
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

/** No credit, too many at once, no room. */
const notAboutTheModel = [402, 429, 503];

/** Fields that other users, a training or the change itself may alter meanwhile. */
const changing = [
  'updated_at',
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
  const [first, ...others] = members.filter(({ status }) => !aboutTheMoment.includes(status));
  return first === undefined || others.length === 0
    ? undefined
    : others.flatMap((other) => compare(first, other));
}

/** Too many calls at once, or a full server: such an answer may differ for other reasons. */
const aboutTheMoment = [0, 429, 503];

function compare(first: GroupMember, other: GroupMember): readonly Problem[] {
  const pair = `"${first.exchange.name}" and "${other.exchange.name}"`;
  if (first.status !== other.status) {
    return [
      {
        message: `The statuses of ${pair} differ.`,
        expected: String(first.status),
        actual: String(other.status),
      },
    ];
  }
  if (first.mediaType !== other.mediaType) {
    const message = `The media types of ${pair} differ.`;
    return [
      {
        exchange: other.exchange,
        message,
        where: 'header content-type',
        expected: first.mediaType,
        actual: other.mediaType,
      },
    ];
  }
  const difference = shapeDifference(first.said, other.said);
  return unless(difference === undefined, {
    exchange: other.exchange,
    message: `The shapes of ${pair} differ: ${difference}.`,
  });
}

/** True if an answered value is what was sent. A form sends tags as a string: one, or several with commas. */
export function isSame(answered: unknown, sent: unknown): boolean {
  if (isDeepStrictEqual(answered, sent)) return true;
  if (!Array.isArray(answered)) return false;
  const list = typeof sent === 'string' ? [[sent], sent.split(',').map((each) => each.trim())] : [];
  return list.some((each) => isDeepStrictEqual(answered, each));
}

/** The trace id of an answer to a call that was sent without a valid one. */
export function ownTraceOf({ headers, asked }: Answer): string | undefined {
  return traceIdOf(asked.traceparent) === undefined ? headers[headerNames.traceId] : undefined;
}
