import { responseOf } from '../exchange.ts';
import { keyRefusals } from '../specification/rules.ts';
import { describeAttempts, encodingOf, isSuccess } from '../subjects/answer.ts';
import type { JudgedMember } from '../subjects/exchange-group.ts';
import type { CoverageCell, Finding } from './report.ts';

/** Statuses of what a server does not have. */
const missingStatuses = [404, 405, 501];

/**
 * Says once what is missing as a whole: an operation that never succeeds, an encoding that is never accepted, a header
 * that no answer has. Each would otherwise be found in every call.
 */
export function gather(
  findings: readonly Finding[],
  members: readonly JudgedMember[],
  cells: readonly CoverageCell[],
): readonly Finding[] {
  return gatherHeaders(gatherEncodings(gatherOperations(findings, members), members), cells);
}

/** Of an operation without any success one finding is left, and that its answers show the key. */
function gatherOperations(
  findings: readonly Finding[],
  members: readonly JudgedMember[],
): readonly Finding[] {
  const byOperation = Map.groupBy(members, ({ operationId }) => operationId);
  return findings.flatMap((finding): readonly Finding[] => {
    const { operationId, rule } = finding;
    const calls = byOperation.get(operationId) ?? [];
    const tried = calls.filter(isAnswerDue);
    if (operationId === undefined || tried.length === 0 || calls.some(({ status }) => isSuccess(status)))
      return [finding];
    if (rule === 'key-is-not-shown') return [finding];
    const all = findings.filter(({ operationId: id }) => id === operationId);
    const attempts = describeAttempts(tried.map(({ status }) => status));
    if (tried.every(({ status }) => missingStatuses.includes(status))) {
      const message = `${operationId} is not judged: ${attempts}.`;
      const { section, exchange, status } = finding;
      const gathered = { rule: 'operation-answered', severity: 'warning', message, operationId } as const;
      return finding === all[0] ? [{ ...gathered, exchange, status, section }] : [];
    }
    const unexpected = all.filter(({ rule: id }) => id === 'success-expected');
    if (unexpected.length === 0) return [finding];
    // Another status is another fault, which a baseline must not hide.
    const isFirst = finding === unexpected.find(({ status }) => status === finding.status);
    return isFirst ? [{ ...finding, message: `${operationId} never succeeds: ${attempts}.` }] : [];
  });
}

/** True unless the call was to be refused for its key, or because something is not there. */
function isAnswerDue({ exchange: { expectation } }: JudgedMember): boolean {
  if (expectation?.outcome !== 'refused') return expectation !== undefined;
  const absences = ['not-found', 'unknown-voice', 'unknown-path', 'unknown-method', ...keyRefusals];
  return !expectation.refusals.some((id) => absences.includes(id));
}

/** Of an encoding that an operation never accepts, the first refusal is left. */
function gatherEncodings(findings: readonly Finding[], members: readonly JudgedMember[]): readonly Finding[] {
  const pairOf = (operationId: string | undefined, encoding: string | undefined) =>
    `${operationId} ${encoding}`;
  const calls = members
    .filter(({ exchange }) => exchange.expectation?.outcome === 'success')
    .map(({ exchange, operationId }) => ({
      pair: pairOf(operationId, encodingOf(exchange).encoding),
      status: responseOf(exchange).status,
    }));
  const refused = new Map(
    [...Map.groupBy(calls, ({ pair }) => pair)].filter(
      ([, all]) => all.length > 1 && all.every(({ status }) => status > 0 && !isSuccess(status)),
    ),
  );
  const reported = new Set<string>();
  return findings.flatMap((finding): readonly Finding[] => {
    const { rule, operationId, encoding } = finding;
    const pair = pairOf(operationId, encoding);
    const all = refused.get(pair);
    if (all === undefined || encoding === undefined) return [finding];
    if (rule === 'encodings-agree' || rule === 'trace-changes-nothing') return [];
    if (rule !== 'success-expected') return [finding];
    if (reported.has(`${pair} ${finding.status}`)) return [];
    reported.add(`${pair} ${finding.status}`);
    const attempts = describeAttempts(all.map(({ status }) => status));
    return [{ ...finding, message: `${operationId} never succeeds with ${encoding}: ${attempts}.` }];
  });
}

/** Of a header that the answers of several operations lack, and none has, the first finding is left. */
function gatherHeaders(findings: readonly Finding[], cells: readonly CoverageCell[]): readonly Finding[] {
  const isKept = (rule: string) => cells.some(({ rules }) => (rules[rule]?.kept ?? 0) > 0);
  const placeOf = ({ rule, where, message }: Finding) => `${rule} ${where} ${message}`;
  const places = Map.groupBy(findings, placeOf);
  return findings.flatMap((finding): readonly Finding[] => {
    const { rule, where = '', message } = finding;
    const all = places.get(placeOf(finding)) ?? [];
    const { size } = new Set(all.map(({ operationId }) => operationId));
    if (!where.startsWith('header ') || size < 2 || isKept(rule)) return [finding];
    return finding === all[0]
      ? [{ ...finding, message: `${message} The same holds for ${size} operations.` }]
      : [];
  });
}
