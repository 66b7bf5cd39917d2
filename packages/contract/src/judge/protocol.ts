import type { OperationId } from '@speech-api/types';
import { type Exchange, responseOf } from '../exchange.ts';
import type { Problem, Rules } from '../problem.ts';
import { operations } from '../specification/document.ts';
import { type JudgedRule, limitOf, serviceRules } from '../specification/rules.ts';
import { type Answer, encodingOf, operationIdOf } from '../subjects/answer.ts';
import { writeCurl } from './curl.ts';
import type { CoverageCell, Finding, Profile } from './report.ts';

/** The side that a rule judges. */
export interface Judged {
  readonly exchange: Exchange;
  readonly status: number;
  readonly mediaType: string;
  readonly answer?: Answer;
}

/** Applies rules and records the results. */
export class Protocol {
  readonly findings: Finding[] = [];
  readonly #profile: Profile;
  readonly #rules: ReadonlyMap<string, JudgedRule>;
  readonly #cells = new Map<string, MutableCell>();

  constructor(profile: Profile, rules: ReadonlyMap<string, JudgedRule> = serviceRules()) {
    this.#profile = profile;
    this.#rules = rules;
  }

  /** Notes that an exchange took place, whatever its findings are. */
  note(judged: Judged): void {
    const cell = this.#cellOf(judged);
    if (cell !== undefined) cell.exchanges += 1;
  }

  /** Applies rules to a subject. */
  judge<Subject>(rules: Rules<Subject>, subject: Subject, judged: Judged): void {
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

  #count(id: string, isKept: boolean, judged: Judged): void {
    const cell = this.#cellOf(judged);
    if (cell === undefined) return;
    const count = cell.rules[id] ?? { kept: 0, broken: 0 };
    cell.rules[id] = isKept ? { ...count, kept: count.kept + 1 } : { ...count, broken: count.broken + 1 };
  }

  #cellOf({ status, mediaType, ...judged }: Judged): MutableCell | undefined {
    const operationId = operationOf(judged);
    if (operationId === undefined) return undefined;
    const key = `${operationId} ${status} ${mediaType}`;
    const cell = this.#cells.get(key) ?? { operationId, status, mediaType, exchanges: 0, rules: {} };
    this.#cells.set(key, cell);
    return cell;
  }

  #findingOf(rule: JudgedRule, problem: Problem, judged: Judged): Finding {
    const { exchange = judged.exchange } = problem;
    const operationId = exchange === judged.exchange ? operationOf(judged) : operationIdOf(exchange);
    const { message, where, expected, actual, severity } = problem;
    const curl = writeCurl(exchange);
    return {
      rule: rule.id,
      severity: severity ?? rule.severity,
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

function operationOf({ exchange, answer }: Pick<Judged, 'exchange' | 'answer'>): OperationId | undefined {
  return exchange.kind === 'live' ? exchange.operationId : (answer?.operation?.id ?? exchange.operationId);
}
