import { type Circumstance, circumstanceWords } from '../judge/circumstances.ts';
import type { Coverage, CoverageCell, Uncovered } from '../judge/coverage.ts';
import type { RunSummary } from '../judge/report.ts';
import {
  counts,
  exitCodeOf,
  type Finding,
  neverAnswered,
  type Report,
  type Strictness,
} from '../judge/report.ts';
import type { Severity } from '../specification/rules.ts';
import { countOf, type Paint, paints, visible, wrap } from './text.ts';

interface SummaryOptions extends Strictness {
  /** @defaultValue false */
  readonly colour?: boolean;
  /** Columns. @defaultValue 100 */
  readonly width?: number;
  /** Every rule of every row of the coverage table, not only those that are broken. @defaultValue false */
  readonly everyRule?: boolean;
}

/** Places and messages of one rule and operation that are shown; the others are counted. */
const shownPlaces = 6;

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
    writeUnconfirmed(report.unconfirmed, paint, width),
    writeCircumstances(report.circumstances, paint, width),
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
  const blocks = [...groups.values()].map((group) => writeRule(group, tint, paint, width));
  return `${paint.bold(`${title} (${findings.length})`)}\n\n${blocks.join('\n\n')}`;
}

/** All findings of one rule in one operation: each place and message once, and the way to the first one that a shell can repeat. */
function writeRule(
  group: readonly Finding[],
  tint: (text: string) => string,
  paint: Paint,
  width: number,
): string {
  const [first] = group;
  if (first === undefined) return '';
  const operation = first.operationId ?? 'no operation';
  const places = [
    ...Map.groupBy(group, ({ where = '', message }) => `${where} ${message}`.replace(/\d+/g, '*')).values(),
  ];
  const more = places.length - shownPlaces;
  return [
    `${tint(paint.bold(first.rule))}  ${operation}  ${paint.dim(`section ${first.section}`)}`,
    ...places.slice(0, shownPlaces).flatMap((findings) => writePlace(findings, paint, width)),
    ...(more > 0 ? [paint.dim(`  and ${more} more`)] : []),
    ...writeOrigin(group.find(({ curl }) => curl !== undefined) ?? first, paint),
  ].join('\n');
}

function writePlace(findings: readonly Finding[], paint: Paint, width: number): readonly string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const { message, where, expected, actual } = first;
  const times = findings.length > 1 ? ` (${findings.length} times)` : '';
  const isSaid = (text: string) => message.includes(text);
  const details = [
    ...(where === undefined || isSaid(where) ? [] : [`at ${where}`]),
    ...(expected === undefined || isSaid(expected) ? [] : [`expected ${expected}`]),
    ...(actual === undefined || isSaid(actual) ? [] : [`found ${actual}`]),
  ].join(', ');
  return [
    ...wrap(visible(message) + times, width - 2).map((line) => `  ${line}`),
    ...(details === '' ? [] : wrap(visible(details), width - 4).map((line) => paint.dim(`    ${line}`))),
  ];
}

/** Which exchange it was seen in, and how to repeat that. */
function writeOrigin({ exchange, source, curl }: Finding, paint: Paint): readonly string[] {
  const line = source?.line === undefined ? '' : `:${source.line}`;
  const isNamed = source === undefined || exchange.startsWith(source.file);
  return [
    paint.dim(visible(`  seen in: ${exchange}${isNamed ? '' : ` (${source?.file}${line})`}`)),
    // One line, whatever its length: it is made to be copied.
    ...(curl === undefined ? [] : [paint.dim(visible(`  ${curl}`))]),
  ];
}

function writeDrift(findings: readonly Finding[], paint: Paint, width: number): string {
  if (findings.length === 0) return '';
  const places = Map.groupBy(findings, ({ operationId, where }) =>
    visible(`${operationId ?? 'no operation'} ${(where ?? '').replace(/\d+/g, '*')}`).trim(),
  );
  const lines = [...places].map(([place, all]) => {
    const rules = [...new Set(all.map(({ rule }) => rule))].join(', ');
    return `  ${place}${all.length > 1 ? ` (${all.length} times)` : ''} ${paint.dim(rules)}`;
  });
  const about = wrap(
    'Not in the specification. Clients tolerate them; --fail-on drift fails on them.',
    width,
  );
  return [paint.bold(`Drift (${findings.length})`), ...about.map(paint.dim), ...lines].join('\n');
}

function writeUnconfirmed(findings: readonly Finding[], paint: Paint, width: number): string {
  if (findings.length === 0) return '';
  const lines = findings.flatMap(({ rule, exchange, message }) =>
    wrap(`${rule}, "${visible(exchange)}": ${visible(message)}`, width - 2),
  );
  const title = 'Measured once, and not again with another text; this does not count';
  return [paint.bold(title), ...lines.map((line) => paint.dim(`  ${line}`))].join('\n');
}

function writeCircumstances(circumstances: readonly Circumstance[], paint: Paint, width: number): string {
  if (circumstances.length === 0) return '';
  const lines = circumstances.flatMap(({ reason, calls, exchange }) =>
    wrap(
      `${countOf(calls, 'call')}, such as "${visible(exchange)}": ${circumstanceWords[reason]}.`,
      width - 2,
    ),
  );
  return [paint.bold('Could not be judged'), ...lines.map((line) => paint.yellow(`  ${line}`))].join('\n');
}

function writeVerdict(report: Report, strictness: Required<Strictness>, paint: Paint): string {
  const code = exitCodeOf(report, strictness);
  const known = report.findings.filter((finding) => finding.known === true).length;
  const number = (severity: Severity) =>
    report.findings.filter((finding) => finding.severity === severity && finding.known !== true).length;
  const counted = [
    countOf(number('error'), 'error'),
    countOf(number('warning'), 'warning'),
    `${number('drift')} drift`,
    ...(known > 0 ? [`${known} known`] : []),
    countOf(report.exchanges.length, 'exchange'),
  ].join(', ');
  const isBroken = report.findings.some((finding) => counts(finding, strictness.failOn));
  const silent = neverAnswered(report);
  const verdict = [
    paint.green(`The contract is kept in what was tried${triedOf(report)}`),
    isBroken
      ? paint.red('The contract is broken')
      : paint.yellow(`The contract is kept in what was tried${triedOf(report)}, and not fully covered`),
    paint.yellow(
      report.circumstances.length > 0
        ? `Not all could be judged, because ${report.circumstances.map(({ reason }) => circumstanceWords[reason].split('. ')[0]).join(' and ')}`
        : silent.length === 0
          ? 'Nothing could be judged'
          : `Not all could be judged, because ${silent.join(', ')} never succeeded`,
    ),
  ][code];
  return `${paint.bold(verdict ?? '')}: ${counted}. Judged by @speech-api/spec ${report.specification.version}.`;
}

/** The share of the judge's calls that was tried: a run may leave out most of them. */
function triedOf(report: Report & { readonly run?: Pick<RunSummary, 'calls'> }): string {
  return report.run === undefined ? '' : ` (${report.run.calls.tried} of ${report.run.calls.known} calls)`;
}

interface TableOptions {
  readonly paint: Paint;
  readonly width: number;
  readonly everyRule: boolean;
}

/** Writes what was judged, one row per operation, status and media type, and what was not. */
function writeCoverage({ cells, uncovered }: Coverage, options: TableOptions): string {
  const { paint, width } = options;
  const parts = [paint.bold('Coverage'), ...writeRows(cells, options)];
  if (uncovered.length > 0) {
    const gaps = Map.groupBy(uncovered, ({ reason }) => reason ?? 'nothing was seen of it');
    parts.push('', paint.bold(`Not covered (${uncovered.length})`));
    for (const [reason, group] of gaps) {
      parts.push(
        ...wrap(visible(`${group.map(nameOf).join(', ')}: ${reason}`), width - 2).map((line) => `  ${line}`),
      );
    }
  }
  return parts.join('\n');
}

function writeRows(
  cells: readonly CoverageCell[],
  { paint, everyRule, width }: TableOptions,
): readonly string[] {
  if (cells.length === 0) return ['  nothing'];
  const rows = cells.map((cell) => {
    const rules = Object.entries(cell.rules);
    const broken = rules.filter(([, count]) => count.broken > 0).map(([id]) => id);
    return {
      cell,
      columns: [
        cell.operationId,
        String(cell.status),
        visible(cell.mediaType) || '-',
        String(cell.exchanges),
      ],
      rules: `${rules.length - broken.length}/${rules.length}`,
      broken,
    };
  });
  const titles = ['operation', 'status', 'media type', 'calls'];
  const widths = titles.map((title, index) =>
    Math.max(title.length, ...rows.map(({ columns }) => columns[index]?.length ?? 0)),
  );
  const line = (columns: readonly string[]) =>
    columns.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ');
  return [
    paint.dim(`  ${line(titles)}  rules kept`),
    ...rows.flatMap(({ columns, rules, broken, cell }) => [
      `  ${line(columns)}  ${broken.length === 0 ? rules : paint.red(rules)}`,
      ...(broken.length === 0
        ? []
        : wrap(`broken: ${broken.join(', ')}`, width - 6).map((each) => paint.red(`      ${each}`))),
      ...(everyRule ? wrap(describeRules(cell), width - 6).map((each) => paint.dim(`      ${each}`)) : []),
    ]),
  ];
}

function describeRules({ rules }: CoverageCell): string {
  return Object.entries(rules)
    .map(([id, { kept, broken }]) => `${id} ${kept}/${kept + broken}`)
    .join(', ');
}

function nameOf({ operationId, what, mediaType }: Uncovered): string {
  if (what === 'operation') return operationId;
  return `${operationId} ${what === 'request-media-type' ? 'with' : 'as'} ${mediaType}`;
}
