import { headerNames } from '@speech-api/types';
import type { Exchange, HttpExchange, LiveExchange } from '../exchange.ts';
import { hideKey, keyOf } from '../key.ts';
import { ownTraceOf, relationRules } from '../rules/relations.ts';
import { isObject, specificationVersion } from '../specification/document.ts';
import type { JudgedRule } from '../specification/rules.ts';
import { type Answer, readAnswer } from '../subjects/answer.ts';
import type { ExchangeGroup, GroupMember } from '../subjects/exchange-group.ts';
import { toolName, toolVersion } from '../tool.ts';
import { isKnown } from './baseline.ts';
import { type CircumstanceReason, circumstancesOf, countCircumstances } from './circumstances.ts';
import { findUncovered } from './coverage.ts';
import { judgeAnswer, judgeLive } from './judge-exchange.ts';
import { weighMeasurements } from './measured.ts';
import { Protocol } from './protocol.ts';
import type { Finding, JudgeOptions, Report } from './report.ts';

/**
 * Judges exchanges by every rule of the spec that a service keeps.
 *
 * Nothing is sent or changed: exchanges are judged as recorded. The report never contains a key.
 */
export async function judge(exchanges: readonly Exchange[], options: JudgingOptions = {}): Promise<Report> {
  const protocol = new Protocol(options.profile ?? 'full', options.rules);
  const members: JudgedMember[] = [];
  const circumstances = circumstancesOf(exchanges);
  for (const exchange of exchanges) {
    members.push(await judgeOne(exchange, protocol, options, circumstances.has(exchange)));
  }
  return reportOf(members, protocol, options, circumstances);
}

/** {@link JudgeOptions}, with other rules than those of the spec. */
export interface JudgingOptions extends JudgeOptions {
  readonly rules?: ReadonlyMap<string, JudgedRule> | undefined;
}

/** Reports on exchanges that were judged one by one, and judges what several of them show together. */
export function reportOf(
  members: readonly JudgedMember[],
  protocol: Protocol,
  options: JudgeOptions,
  circumstances: ReadonlyMap<Exchange, CircumstanceReason> = new Map(),
): Report {
  const isDeterministic = options.deterministic ?? false;
  const told = members.filter(({ exchange }) => !circumstances.has(exchange));
  for (const group of groupsOf(told, isDeterministic)) judgeGroup(group, protocol);
  judgeGroup(untraced(told, isDeterministic), protocol);
  for (const group of textsOf(told, isDeterministic)) judgeGroup(group, protocol);
  for (const group of operationsOf(told, isDeterministic)) judgeGroup(group, protocol);
  const exchanges = members.map(({ exchange }) => exchange);
  const { findings: weighed, unconfirmed } = weighMeasurements(protocol.findings, exchanges);
  const findings = weighed.map(
    (finding): Finding => (isKnown(finding, options.baseline) ? { ...finding, known: true } : finding),
  );
  return {
    tool: { name: toolName, version: toolVersion() },
    specification: { version: specificationVersion() },
    findings: findings.toSorted((one, other) => weight(one) - weight(other)),
    unconfirmed,
    circumstances: countCircumstances(circumstances),
    coverage: { cells: protocol.cells, uncovered: findUncovered(exchanges, options.notTried ?? []) },
    exchanges: members.map(({ exchange, status, operationId }) => ({
      name: hideKey(exchange.name, keyOf(exchange)),
      status,
      ...(operationId !== undefined && { operationId }),
    })),
  };
}

/** Data that the groups need about an exchange that was judged individually. */
export interface JudgedMember extends Omit<GroupMember, 'membership'> {
  readonly operationId?: string;
}

/** Judges one exchange by all rules that speak about one. */
export async function judgeOne(
  exchange: Exchange,
  protocol: Protocol,
  options: JudgeOptions,
  isCircumstance = false,
): Promise<JudgedMember> {
  const deadlineMs = options.decodeDeadlineMs ?? defaultDecodeDeadlineMs;
  return exchange.kind === 'http'
    ? await judgeHttp(exchange, protocol, deadlineMs, isCircumstance)
    : await judgeSession(exchange, protocol, deadlineMs, isCircumstance);
}

/** Milliseconds. */
const defaultDecodeDeadlineMs = 60_000;

async function judgeHttp(
  exchange: HttpExchange,
  protocol: Protocol,
  deadlineMs: number,
  isCircumstance: boolean,
): Promise<JudgedMember> {
  const answer = await readAnswer(exchange);
  const { said, ...audio } = await judgeAnswer(answer, protocol, deadlineMs, isCircumstance);
  return {
    exchange,
    status: answer.status,
    mediaType: answer.mediaType ?? '',
    said,
    answer,
    ...audio,
    ...(answer.operation !== undefined && { operationId: answer.operation.id }),
  };
}

async function judgeSession(
  exchange: LiveExchange,
  protocol: Protocol,
  deadlineMs: number,
  isCircumstance: boolean,
): Promise<JudgedMember> {
  const { said, fingerprint } = await judgeLive(exchange, protocol, deadlineMs, isCircumstance);
  return {
    exchange,
    status: exchange.upgrade.response.status,
    mediaType: '',
    said,
    operationId: exchange.operationId,
    ...(fingerprint !== undefined && { fingerprint }),
  };
}

function groupsOf(members: readonly JudgedMember[], isDeterministic: boolean): readonly ExchangeGroup[] {
  const groups = new Map<string, ExchangeGroup & { members: GroupMember[] }>();
  for (const { operationId: _, ...member } of members) {
    for (const membership of member.exchange.groups ?? []) {
      const { id, relation } = membership;
      const key = `${relation} ${id}`;
      const group = groups.get(key) ?? { id, relation, isDeterministic, members: [] };
      group.members.push({ ...member, membership });
      groups.set(key, group);
    }
  }
  return [...groups.values()].map((group) => ({ ...group, members: inOrder(group) }));
}

/** Every call without a valid `traceparent` whose answer has a trace id. */
function untraced(members: readonly JudgedMember[], isDeterministic: boolean): ExchangeGroup {
  const membership = { id: 'untraced', relation: 'untraced' as const };
  const told = members.filter(({ answer }) => answer !== undefined && ownTraceOf(answer) !== undefined);
  return {
    ...membership,
    isDeterministic,
    members: told.map(({ operationId: _, ...member }) => ({ ...member, membership })),
  };
}

/** All speech whose requests differ in their text alone. */
function textsOf(members: readonly JudgedMember[], isDeterministic: boolean): readonly ExchangeGroup[] {
  const spoken = members.filter(({ fingerprint }) => fingerprint !== undefined);
  const alike = Map.groupBy(spoken, ({ operationId, answer }) =>
    answer === undefined ? undefined : settingsOf(answer, operationId),
  );
  alike.delete(undefined);
  return [...alike.values()].map((own) => {
    const membership = { id: 'texts', relation: 'texts' as const };
    return {
      ...membership,
      isDeterministic,
      members: own.map(({ operationId: _, ...member }) => ({ ...member, membership })),
    };
  });
}

/** Everything that a synthesis request asks for but its text; `undefined` where two texts may sound alike all the same. */
function settingsOf({ asked }: Answer, operationId: string | undefined): string | undefined {
  if (!isObject(asked.body)) return undefined;
  const { text: _spoken, references, max_new_tokens: cutsShort, ...settings } = asked.body;
  if (references !== undefined || cutsShort !== undefined) return undefined;
  const ordered = Object.entries(settings).sort(([one], [other]) => one.localeCompare(other));
  return JSON.stringify([operationId, asked.headers[headerNames.model], ordered]);
}

/** Per operation, every call that should succeed. */
function operationsOf(members: readonly JudgedMember[], isDeterministic: boolean): readonly ExchangeGroup[] {
  const wanted = members.filter(({ exchange }) => exchange.expectation?.outcome === 'success');
  const groups = Map.groupBy(wanted, ({ operationId }) => operationId);
  return [...groups].flatMap(([id, own]) => {
    if (id === undefined) return [];
    const membership = { id, relation: 'operation' as const };
    return [
      {
        ...membership,
        isDeterministic,
        members: own.map(({ operationId: _, ...member }) => ({ ...member, membership })),
      },
    ];
  });
}

/** The members, starting with the one to compare the others with: the request without a traceparent. */
function inOrder({ relation, members }: ExchangeGroup): readonly GroupMember[] {
  if (relation !== 'trace') return members;
  return members.toSorted(
    (one, other) => Number(one.membership.role === 'with') - Number(other.membership.role === 'with'),
  );
}

function judgeGroup(group: ExchangeGroup, protocol: Protocol): void {
  const last = group.members.at(-1);
  if (last !== undefined) protocol.judge(relationRules, group, last);
}

function weight({ severity, known }: Finding): number {
  return ['error', 'warning', 'drift'].indexOf(severity) + (known === true ? 3 : 0);
}
