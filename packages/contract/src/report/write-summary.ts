import { counts, exitCodeOf, type Strictness } from '../judge/exit-code.ts';
import type { Finding, Severity } from '../judge/finding.ts';
import type { Report } from '../judge/report.ts';
import { type Paint, paints } from './paint.ts';
import { visible } from './visible.ts';
import { wrap } from './wrap.ts';
import { writeCoverage } from './write-coverage.ts';

export interface SummaryOptions extends Strictness {
  /** @defaultValue false */
  readonly colour?: boolean;
  /** Columns. @defaultValue 100 */
  readonly width?: number;
  /** Every rule of every row of the coverage table, not only those that are broken. @defaultValue false */
  readonly everyRule?: boolean;
}

/** Findings of one rule and operation that are shown in full; the others are counted. */
const shownEach = 3;

/** The report for people: what is broken, what is only noticed, what was covered, and the verdict last. */
export function writeSummary(report: Report, options: SummaryOptions = {}): string {
  const { colour = false, width = 100, failOn = 'error', requireFull = false } = options;
  const paint = paints(colour);
  const counting = report.findings.filter(({ known }) => known !== true);
  const of = (severity: Severity) => counting.filter((finding) => finding.severity === severity);
  const parts = [
    writeGroup('Errors', of('error'), paint.red, paint, width),
    writeGroup('Warnings', of('warning'), paint.yellow, paint, width),
    writeDrift(of('drift'), paint, width),
    writeCoverage(report.coverage, { paint, width, everyRule: options.everyRule ?? false }),
    writeVerdict(report, { failOn, requireFull }, paint),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function writeGroup(
  title: string,
  findings: readonly Finding[],
  tint: (text: string) => string,
  paint: Paint,
  width: number,
): string {
  if (findings.length === 0) return '';
  const groups = Map.groupBy(findings, ({ rule, operationId }) => `${rule} ${operationId ?? ''}`);
  const blocks = [...groups.values()].map((group) => {
    const [first] = group;
    if (first === undefined) return '';
    const head = `${tint(paint.bold(first.rule))}  ${first.operationId ?? 'no operation'}  ${paint.dim(`section ${first.section}`)}`;
    const more = group.length - shownEach;
    return [
      head,
      ...group.slice(0, shownEach).map((finding) => writeFinding(finding, paint, width)),
      ...(more > 0 ? [paint.dim(`  and ${more} more of the same kind`)] : []),
    ].join('\n');
  });
  return `${paint.bold(`${title} (${findings.length})`)}\n\n${blocks.join('\n\n')}`;
}

function writeFinding(finding: Finding, paint: Paint, width: number): string {
  const { exchange, message, where, expected, actual, curl, source } = finding;
  const place =
    source === undefined ? '' : ` (${source.file}${source.line === undefined ? '' : `:${source.line}`})`;
  const lines = [...wrap(visible(message), width - 2), paint.dim(visible(`in: ${exchange}${place}`))];
  if (where !== undefined) lines.push(paint.dim(visible(`at: ${where}`)));
  if (expected !== undefined && actual !== undefined) {
    lines.push(...wrap(visible(`expected ${expected}, found ${actual}`), width - 2).map(paint.dim));
  }
  // One line, whatever its length: it is made to be copied.
  if (curl !== undefined) lines.push(paint.dim(visible(curl)));
  return lines.map((line) => `  ${line}`).join('\n');
}

function writeDrift(findings: readonly Finding[], paint: Paint, width: number): string {
  if (findings.length === 0) return '';
  const places = Map.groupBy(findings, ({ rule, operationId, where }) =>
    visible(
      `${operationId ?? 'no operation'} ${(where ?? '').replace(/\d+/g, '*')} ${paint.dim(rule)}`,
    ).trim(),
  );
  const lines = [...places].map(
    ([place, all]) => `  ${place}${all.length > 1 ? ` (${all.length} times)` : ''}`,
  );
  const about = wrap('Not in the specification. Clients tolerate them, so they fail nothing.', width);
  return [paint.bold(`Drift (${findings.length})`), ...about.map(paint.dim), ...lines].join('\n');
}

function writeVerdict(report: Report, strictness: Required<Strictness>, paint: Paint): string {
  const code = exitCodeOf(report, strictness);
  const known = report.findings.filter((finding) => finding.known === true).length;
  const number = (severity: Severity) =>
    report.findings.filter((finding) => finding.severity === severity && finding.known !== true).length;
  const counted = [
    count(number('error'), 'error'),
    count(number('warning'), 'warning'),
    `${number('drift')} drift`,
    ...(known > 0 ? [`${known} known`] : []),
    `${count(report.exchanges.length, 'exchange')}`,
  ].join(', ');
  const because = report.findings.some((finding) => counts(finding, strictness.failOn))
    ? ''
    : ' (not everything was covered)';
  const verdict = [
    paint.green('The contract is kept'),
    `${paint.red('The contract is broken')}${because}`,
    paint.yellow('Nothing could be judged'),
  ][code];
  return `${paint.bold(verdict ?? '')}: ${counted}. Judged by @speech-api/spec ${report.specification.version}.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
