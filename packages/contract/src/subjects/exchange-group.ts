import { headerNames } from '@speech-api/types';
import type { AudioFacts } from '../audio/audio-facts.ts';
import type { Exchange, GroupMembership, Relation } from '../exchange.ts';
import { asObject, isObject, type JsonObject } from '../specification/document.ts';
import { type Answer, isSuccess, ownTraceOf } from './answer.ts';

/** Answers that belong together. */
export interface ExchangeGroup {
  readonly id: string;
  readonly relation: Relation;
  /** True if the service states that it gives the same audio for the same request. */
  readonly isDeterministic: boolean;
  /** The members in the order of the exchanges. */
  readonly members: readonly GroupMember[];
}

export interface GroupMember extends JudgedMember {
  readonly membership: GroupMembership;
}

/** A judged exchange with the data that comparisons need. */
export interface JudgedMember {
  readonly exchange: Exchange;
  readonly status: number;
  readonly mediaType: string;
  readonly operationId?: string | undefined;
  /** The content whose shape is compared: a body, events, facts of audio, or kinds of live messages. */
  readonly said: unknown;
  /** Fingerprint of generated audio. */
  readonly fingerprint?: string | undefined;
  /** Generated audio, unless it is that of a live session. */
  readonly sound?: Sound | undefined;
  /** Undefined for a live session. */
  readonly answer?: Answer;
}

export type Sound = Pick<AudioFacts, 'seconds' | 'peak' | 'bitsPerSecond'>;

/** The groups that exchanges name, then those that the judge forms. */
export function groupsOf(
  members: readonly JudgedMember[],
  isDeterministic: boolean,
): readonly ExchangeGroup[] {
  const named = members.flatMap((member) =>
    (member.exchange.groups ?? []).map((membership): GroupMember => ({ ...member, membership })),
  );
  const byName = Map.groupBy(named, ({ membership: { id, relation } }) => `${relation} ${id}`);
  const together = (membership: GroupMembership, all: readonly JudgedMember[]) =>
    all.map((member): GroupMember => ({ ...member, membership }));
  const untraced = members.filter(({ answer }) => answer !== undefined && ownTraceOf(answer) !== undefined);
  const alike = Map.groupBy(members, settingsOf);
  alike.delete(undefined);
  const successes = members.filter(({ exchange }) => exchange.expectation?.outcome === 'success');
  const byOperation = Map.groupBy(successes, ({ operationId }) => operationId);
  byOperation.delete(undefined);
  return [
    ...[...byName.values()].map(inOrder),
    together({ id: 'untraced', relation: 'untraced' }, untraced),
    ...[...alike.values()].map((group) => together({ id: 'texts', relation: 'texts' }, group)),
    ...[...byOperation].map(([id = '', group]) => together({ id, relation: 'operation' }, group)),
  ].flatMap((subject) => {
    const { id, relation } = subject[0]?.membership ?? {};
    if (id === undefined || relation === undefined) return [];
    return [{ id, relation, isDeterministic, members: subject }];
  });
}

/** All settings of a speech request except its text; `undefined` if two texts may sound alike. */
function settingsOf({ answer, operationId, fingerprint }: JudgedMember): string | undefined {
  if (fingerprint === undefined || answer === undefined || !isObject(answer.asked.body)) return undefined;
  const { text: _spoken, references, max_new_tokens: cutsShort, ...settings } = answer.asked.body;
  if (references !== undefined || cutsShort !== undefined) return undefined;
  const ordered = Object.entries(settings).sort(([first], [second]) => first.localeCompare(second));
  return JSON.stringify([operationId, answer.asked.headers[headerNames.model], ordered]);
}

/** The members, beginning with the reference for all comparisons: the request without a traceparent. */
function inOrder(members: readonly GroupMember[]): readonly GroupMember[] {
  const isTraced = ({ membership: { relation, role } }: GroupMember) =>
    relation === 'trace' && role === 'with' ? 1 : 0;
  return members.toSorted((first, second) => isTraced(first) - isTraced(second));
}

/** True if a service says that its list ends before the total, or that the total is capped or an estimate. */
export function isTotalLimited(page: JsonObject): boolean {
  return page.window_limited === true || page.total_is_exact === false;
}

/** The pages of a group in order; `undefined` if the group is no list or a page cannot be read. */
export function listsOf({ relation, members }: ExchangeGroup, kind: Extract<Relation, 'pages' | 'filters'>) {
  if (relation !== kind) return undefined;
  const read = members.flatMap(({ answer, exchange: { name } }) => {
    const page = (answer?.status === 200 && answer.object) || {};
    const { items, total, has_more: hasMore } = page;
    if (!Array.isArray(items)) return [];
    return [{ name, items: items.filter(isObject), total, hasMore, isTotalLimited: isTotalLimited(page) }];
  });
  return read.length === members.length ? read : undefined;
}

/** The recorded steps in the life of one voice model; `undefined` if the group is not such a life. */
export function stepsOf({ relation, members }: ExchangeGroup) {
  if (relation !== 'voice') return undefined;
  const steps = members.map(({ exchange, status, answer, membership: { role } }) => ({
    role,
    exchange,
    status,
    asked: asObject(answer?.asked.body),
    // The body of a success.
    model: answer?.isSuccess === true ? answer.object : undefined,
  }));
  const at = (role: string) => steps.find((step) => step.role === role);
  const updates = steps.filter(({ role }) => role === 'update');
  const made = updates.filter(({ status }) => isSuccess(status));
  const lost = updates.filter(({ status }) => status === 0 || status >= 500);
  const deleted = at('delete');
  return {
    created: at('create')?.model,
    // The fields of all successful updates together.
    update: made.length > 0 ? asObject(Object.assign({}, ...made.map(({ asked }) => asked))) : undefined,
    // Fields of updates whose outcome is unknown: without an answer, or with a server error.
    uncertain: lost.flatMap(({ asked }) => Object.keys(asked)),
    read: at('read'),
    lists: steps.filter(({ role, model }) => role?.startsWith('list-') === true && model !== undefined),
    use: at('use'),
    readUpdated: at('read-updated'),
    deleted: deleted && isSuccess(deleted.status) ? deleted : undefined,
    readDeleted: at('read-deleted'),
  };
}

/** True if a list of the caller's voice models does not show a change that was made. */
export function isStale(
  change: 'created' | 'updated' | 'deleted',
  list: JsonObject,
  { _id, title, author }: { readonly _id: string; readonly title?: unknown; readonly author?: unknown },
): boolean {
  if (!Array.isArray(list.items)) return false;
  const items = list.items.map(asObject);
  const listed = items.find((item) => item._id === _id);
  if (change === 'deleted') return listed !== undefined;
  // It may be on a later page, and a server with another name for `self` lists the voice models of others.
  const authors = new Set([author, ...items.map((item) => item.author)].map((each) => asObject(each)._id));
  if (listed === undefined) return list.has_more === false && (author === undefined || authors.size === 1);
  return change === 'updated' && title !== undefined && listed.title !== title;
}
