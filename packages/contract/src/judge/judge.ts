import type { Exchange } from '../exchange.ts';
import { hideKeys, keyOf } from '../key.ts';
import type { Chapter } from '../problem.ts';
import { audioChapters } from '../rules/audio.ts';
import { fieldChapter, transcriptionChapter, walletChapter } from '../rules/bodies.ts';
import { deliveryChapters } from '../rules/delivery.ts';
import { liveChapter } from '../rules/live.ts';
import { modelChapter } from '../rules/models.ts';
import { errorChapters, outcomeChapters } from '../rules/outcome.ts';
import { relationChapter } from '../rules/relations.ts';
import { requestChapters } from '../rules/requests.ts';
import { timestampChapter } from '../rules/timestamps.ts';
import { specificationVersion } from '../specification/document.ts';
import { clientRules, serviceRules } from '../specification/rules.ts';
import { groupsOf, type JudgedMember } from '../subjects/exchange-group.ts';
import { type Reading, readExchange } from '../subjects/reading.ts';
import { refuseOldNode, toolName, toolVersion } from '../tool.ts';
import {
  type CircumstanceReason,
  circumstancesOf,
  countCircumstances,
  withoutSuccess,
} from './circumstances.ts';
import { gatherOperations, Protocol } from './protocol.ts';
import { type Finding, findUncovered, isKnown, type JudgeOptions, type Report } from './report.ts';

/** The chapters of single exchanges, in the order in which they are read. */
export const chapters: readonly Chapter<Reading>[] = [
  ...outcomeChapters,
  ...deliveryChapters,
  ...errorChapters,
  fieldChapter,
  timestampChapter,
  liveChapter,
  ...audioChapters,
  transcriptionChapter,
  walletChapter,
  modelChapter,
];

/**
 * Judges exchanges by every rule of the spec that a service keeps.
 *
 * Nothing is sent or changed: exchanges are judged as recorded. The report never contains a key.
 *
 * @throws CannotJudge when this Node is too old
 */
export async function judge(exchanges: readonly Exchange[], options: JudgingOptions = {}): Promise<Report> {
  refuseOldNode();
  const protocol = new Protocol(options.profile ?? 'full', serviceRules());
  const members: JudgedMember[] = [];
  const circumstances = circumstancesOf(exchanges);
  const requests = new Protocol('full', clientRules());
  for (const exchange of exchanges) {
    const reading = await readExchange(exchange, circumstances.has(exchange));
    if (options.judgesRequest?.(exchange) === true) await judgeBy(requestChapters, reading, requests);
    protocol.note(reading.member);
    await judgeBy(chapters, reading, protocol);
    members.push(reading.member);
  }
  const judged = members.filter(({ exchange }) => !circumstances.has(exchange));
  for (const group of groupsOf(judged, options.deterministic ?? false)) {
    const last = group.members.at(-1);
    if (last !== undefined)
      await relationChapter.judge(group, (rules, subject) => protocol.judge(rules, subject, last));
  }
  const report = reportOf(members, protocol, requests.findings, options, circumstances);
  return hideKeys(report, [...new Set(exchanges.flatMap((exchange) => keyOf(exchange) ?? []))]);
}

interface JudgingOptions extends JudgeOptions {
  /** The exchanges whose requests are judged too, by the rules that a client keeps. @defaultValue none */
  readonly judgesRequest?: (exchange: Exchange) => boolean;
}

async function judgeBy(
  chaptersToRead: readonly Chapter<Reading>[],
  reading: Reading,
  protocol: Protocol,
): Promise<void> {
  for (const { judge } of chaptersToRead)
    await judge(reading, (rules, subject) => protocol.judge(rules, subject, reading.member));
}

/** The findings about a request, and about the messages that the client sent in a session. */
export async function judgeRequest(exchange: Exchange): Promise<readonly Finding[]> {
  const protocol = new Protocol('full', clientRules());
  await judgeBy(requestChapters, await readExchange(exchange), protocol);
  return hideKeys(protocol.findings, [keyOf(exchange) ?? '']);
}

function reportOf(
  members: readonly JudgedMember[],
  protocol: Protocol,
  ofRequests: readonly Finding[],
  options: JudgeOptions,
  circumstances: ReadonlyMap<Exchange, CircumstanceReason>,
): Report {
  const exchanges = members.map(({ exchange }) => exchange);
  const findings = [...ofRequests, ...gatherOperations(protocol.findings, members)].map(
    (finding): Finding => (isKnown(finding, options.baseline) ? { ...finding, known: true } : finding),
  );
  return {
    tool: { name: toolName, version: toolVersion() },
    specification: { version: specificationVersion() },
    findings: findings.toSorted((first, second) => weight(first) - weight(second)),
    circumstances: [...countCircumstances(circumstances), ...withoutSuccess(members)],
    coverage: { cells: protocol.cells, uncovered: findUncovered(exchanges, options) },
    exchanges: members.map(({ exchange, status, operationId }) => ({
      name: exchange.name,
      status,
      ...(operationId !== undefined && { operationId }),
    })),
  };
}

function weight({ severity, known }: Finding): number {
  return ['error', 'warning', 'drift'].indexOf(severity) + (known === true ? 3 : 0);
}
