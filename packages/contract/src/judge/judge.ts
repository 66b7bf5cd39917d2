import { headerNames } from '@speech-api/types';
import type { Exchange, GroupMembership } from '../exchange.ts';
import { hideKeys, keyOf } from '../key.ts';
import { ownTraceOf, relationRules } from '../rules/relations.ts';
import { requestRules, sessionRules } from '../rules/requests.ts';
import { isObject, specificationVersion } from '../specification/document.ts';
import { clientRules, type JudgedRule } from '../specification/rules.ts';
import { readAnswer } from '../subjects/answer.ts';
import type { ExchangeGroup, GroupMember, JudgedMember } from '../subjects/exchange-group.ts';
import { readLiveSession } from '../subjects/live-session.ts';
import { toolName, toolVersion } from '../tool.ts';
import { isKnown } from './baseline.ts';
import {
  type CircumstanceReason,
  circumstancesOf,
  countCircumstances,
  withoutSuccess,
} from './circumstances.ts';
import { findUncovered } from './coverage.ts';
import { gather } from './gather.ts';
import { judgeCall, judgeSession } from './judge-exchange.ts';
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
  const requests = new Protocol('full', clientRules());
  for (const exchange of exchanges) {
    if (options.judgesRequest?.(exchange) === true) await judgeRequest(exchange, requests);
    members.push(await judgeOne(exchange, protocol, circumstances.has(exchange)));
  }
  const report = reportOf(members, protocol, requests.findings, options, circumstances);
  return hideKeys(report, [...new Set(exchanges.flatMap((exchange) => keyOf(exchange) ?? []))]);
}

/** {@link JudgeOptions}, with other rules than those of the spec. */
export interface JudgingOptions extends JudgeOptions {
  /** The exchanges whose requests are judged too, by the rules that a client keeps. @defaultValue none */
  readonly judgesRequest?: (exchange: Exchange) => boolean;
  readonly rules?: ReadonlyMap<string, JudgedRule> | undefined;
}

/** Reports on exchanges that were judged one by one, and judges what several of them show together. */
function reportOf(
  members: readonly JudgedMember[],
  protocol: Protocol,
  ofRequests: readonly Finding[],
  options: JudgeOptions,
  circumstances: ReadonlyMap<Exchange, CircumstanceReason>,
): Report {
  const told = members.filter(({ exchange }) => !circumstances.has(exchange));
  for (const group of groupsOf(told, options.deterministic ?? false)) {
    const last = group.members.at(-1);
    if (last !== undefined) protocol.judge(relationRules, group, last);
  }
  const exchanges = members.map(({ exchange }) => exchange);
  const findings = [...ofRequests, ...gather(protocol.findings, members, protocol.cells)].map(
    (finding): Finding => (isKnown(finding, options.baseline) ? { ...finding, known: true } : finding),
  );
  return {
    tool: { name: toolName, version: toolVersion() },
    specification: { version: specificationVersion() },
    findings: findings.toSorted((one, other) => weight(one) - weight(other)),
    circumstances: [...countCircumstances(circumstances), ...withoutSuccess(members)],
    coverage: { cells: protocol.cells, uncovered: findUncovered(exchanges, options) },
    exchanges: members.map(({ exchange, status, operationId }) => ({
      name: exchange.name,
      status,
      ...(operationId !== undefined && { operationId }),
    })),
  };
}

/** Judges what a client has sent: its request, and its messages in a session. */
export async function judgeRequest(exchange: Exchange, protocol: Protocol): Promise<void> {
  const { name, operationId } = exchange;
  const isLive = exchange.kind === 'live';
  const { request, response } = isLive ? exchange.upgrade : exchange;
  const answer = await readAnswer({
    kind: 'http',
    name,
    request,
    response,
    ...(operationId && { operationId }),
  });
  const judged = { exchange, status: answer.status, mediaType: '', answer };
  protocol.judge(requestRules, answer, judged);
  if (isLive) protocol.judge(sessionRules, await readLiveSession(exchange), judged);
}

/** Judges one exchange by all rules about single exchanges. */
async function judgeOne(
  exchange: Exchange,
  protocol: Protocol,
  isCircumstance = false,
): Promise<JudgedMember> {
  const judging = { protocol, isCircumstance };
  return exchange.kind === 'http'
    ? await judgeCall(exchange, judging)
    : await judgeSession(exchange, judging);
}

/** The groups that exchanges name themselves, then those that the judge puts together. */
function groupsOf(members: readonly JudgedMember[], isDeterministic: boolean): readonly ExchangeGroup[] {
  const named = members.flatMap((member) =>
    (member.exchange.groups ?? []).map((membership): GroupMember => ({ ...member, membership })),
  );
  const byName = Map.groupBy(named, ({ membership: { id, relation } }) => `${relation} ${id}`);
  const together = (membership: GroupMembership, all: readonly JudgedMember[]) =>
    all.map((member): GroupMember => ({ ...member, membership }));
  const untraced = members.filter(({ answer }) => answer !== undefined && ownTraceOf(answer) !== undefined);
  const alike = Map.groupBy(members, settingsOf);
  alike.delete(undefined);
  const wanted = members.filter(({ exchange }) => exchange.expectation?.outcome === 'success');
  const byOperation = Map.groupBy(wanted, ({ operationId }) => operationId);
  byOperation.delete(undefined);
  return [
    ...[...byName.values()].map(inOrder),
    together({ id: 'untraced', relation: 'untraced' }, untraced),
    ...[...alike.values()].map((own) => together({ id: 'texts', relation: 'texts' }, own)),
    ...[...byOperation].map(([id = '', own]) => together({ id, relation: 'operation' }, own)),
  ].flatMap((own) => {
    const { id, relation } = own[0]?.membership ?? {};
    if (id === undefined || relation === undefined) return [];
    return [{ id, relation, isDeterministic, members: own }];
  });
}

/** Everything that a speech asks for but its text; `undefined` where two texts may sound alike all the same. */
function settingsOf({ answer, operationId, fingerprint }: JudgedMember): string | undefined {
  if (fingerprint === undefined || answer === undefined || !isObject(answer.asked.body)) return undefined;
  const { text: _spoken, references, max_new_tokens: cutsShort, ...settings } = answer.asked.body;
  if (references !== undefined || cutsShort !== undefined) return undefined;
  const ordered = Object.entries(settings).sort(([one], [other]) => one.localeCompare(other));
  return JSON.stringify([operationId, answer.asked.headers[headerNames.model], ordered]);
}

/** The members, starting with the one to compare the others with: the request without a traceparent. */
function inOrder(members: readonly GroupMember[]): readonly GroupMember[] {
  const isTraced = ({ membership: { relation, role } }: GroupMember) =>
    relation === 'trace' && role === 'with' ? 1 : 0;
  return members.toSorted((one, other) => isTraced(one) - isTraced(other));
}

function weight({ severity, known }: Finding): number {
  return ['error', 'warning', 'drift'].indexOf(severity) + (known === true ? 3 : 0);
}
