import type { OperationId } from '@speech-api/types';
import { responseOf } from '../exchange.ts';
import type { Problem, Rules } from '../problem.ts';
import { operations } from '../specification/document.ts';
import { type JudgedRule, keyRefusals } from '../specification/rules.ts';
import { describeAttempts, encodingOf, isSuccess, operationIdOf } from '../subjects/answer.ts';
import type { JudgedMember } from '../subjects/exchange-group.ts';
import { writeCurl } from './curl.ts';
import type { CoverageCell, Finding, Profile } from './report.ts';

/** Applies rules and records the results. */
export class Protocol {
  readonly findings: Finding[] = [];
  readonly #profile: Profile;
  readonly #rules: ReadonlyMap<string, JudgedRule>;
  readonly #cells = new Map<string, MutableCell>();

  constructor(profile: Profile, rules: ReadonlyMap<string, JudgedRule>) {
    this.#profile = profile;
    this.#rules = rules;
  }

  /** Notes that an exchange took place, whatever its findings are. */
  note(judged: JudgedMember): void {
    const cell = this.#cellOf(judged);
    if (cell !== undefined) cell.exchanges += 1;
  }

  /** Applies rules to a subject. */
  judge<Subject>(rules: Rules<Subject>, subject: Subject, judged: JudgedMember): void {
    for (const [id, judge] of Object.entries(rules)) {
      const rule = this.#rules.get(id);
      // A service of fixed answers cannot satisfy rules that depend on the request or on stored state.
      if (rule === undefined || (rule.state === true && this.#profile === 'stateless')) continue;
      const problems = judge(subject, limitOf(rule));
      if (problems === undefined) continue;
      this.#count(id, problems.length === 0, judged);
      // Measured properties may fail by chance, so they are reported once.
      if (rule.measured === true && this.findings.some((finding) => finding.rule === id)) continue;
      for (const problem of problems.slice(0, rule.measured === true ? 1 : undefined))
        this.findings.push(this.#findingOf(rule, problem, judged));
    }
  }

  /** The judged cells, in the order of the operations in the document, then by status. */
  get cells(): readonly CoverageCell[] {
    const order = [...operations().keys()];
    const placeOf = ({ operationId }: CoverageCell) => order.indexOf(operationId);
    return [...this.#cells.values()].sort(
      (first, second) => placeOf(first) - placeOf(second) || first.status - second.status,
    );
  }

  #count(id: string, isKept: boolean, judged: JudgedMember): void {
    const cell = this.#cellOf(judged);
    if (cell === undefined) return;
    const count = cell.rules[id] ?? { kept: 0, broken: 0 };
    cell.rules[id] = isKept ? { ...count, kept: count.kept + 1 } : { ...count, broken: count.broken + 1 };
  }

  #cellOf({ status, mediaType, ...judged }: JudgedMember): MutableCell | undefined {
    const operationId = operationOf(judged);
    if (operationId === undefined) return undefined;
    const key = `${operationId} ${status} ${mediaType}`;
    const cell = this.#cells.get(key) ?? { operationId, status, mediaType, exchanges: 0, rules: {} };
    this.#cells.set(key, cell);
    return cell;
  }

  #findingOf(rule: JudgedRule, problem: Problem, judged: JudgedMember): Finding {
    const { exchange = judged.exchange } = problem;
    const operationId = exchange === judged.exchange ? operationOf(judged) : operationIdOf(exchange);
    const { message, where, expected, actual, severity } = problem;
    const curl = writeCurl(exchange);
    // Elsewhere the interface does not state the rule.
    const isStated = rule.operations?.some((id) => id === operationId) ?? true;
    return {
      rule: rule.id,
      severity: severity ?? (isStated ? rule.severity : 'warning'),
      message,
      ...(operationId !== undefined && { operationId }),
      ...(where !== undefined && where !== '' && { where }),
      ...(expected !== undefined && { expected }),
      ...(actual !== undefined && { actual }),
      exchange: exchange.name,
      status: responseOf(exchange).status,
      ...encodingOf(exchange),
      section: rule.section,
      ...(curl !== undefined && { curl }),
      ...(exchange.source !== undefined && { source: exchange.source }),
    };
  }
}

interface MutableCell extends CoverageCell {
  exchanges: number;
  rules: Record<string, { kept: number; broken: number }>;
}

function operationOf({
  exchange,
  answer,
}: Pick<JudgedMember, 'exchange' | 'answer'>): OperationId | undefined {
  return exchange.kind === 'live' ? exchange.operationId : (answer?.operation?.id ?? exchange.operationId);
}

/** Reads the numbers of a rule; asking for one that the spec does not state is a mistake in the rule's code. */
function limitOf({ id, limits }: Pick<JudgedRule, 'id' | 'limits'>): (name: string) => number {
  return (name) => {
    const value = limits?.[name];
    if (value === undefined)
      throw new TypeError(`The rule ${id} has no limit named ${name} in the specification.`);
    return value;
  };
}

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
