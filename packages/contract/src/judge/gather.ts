import { keyRefusals } from '../specification/rules.ts';
import { describeAttempts, isSuccess } from '../subjects/answer.ts';
import type { JudgedMember } from '../subjects/exchange-group.ts';
import type { Finding } from './report.ts';

/** Statuses that a server answers for things it does not have. */
const missingStatuses = [404, 405, 501];

/** For an operation without any success, one finding remains, plus any finding that its answers show the key. */
export function gatherOperations(
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

/** True unless the call expected a refusal for its key or for something missing. */
function isAnswerDue({ exchange: { expectation } }: JudgedMember): boolean {
  if (expectation?.outcome !== 'refused') return expectation !== undefined;
  const absences = ['not-found', 'unknown-voice', 'unknown-path', 'unknown-method', ...keyRefusals];
  return !expectation.refusals.some((id) => absences.includes(id));
}
