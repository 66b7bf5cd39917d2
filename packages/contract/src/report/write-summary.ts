import { type Circumstance, circumstanceWords } from '../judge/circumstances.ts';
import type { Coverage, CoverageCell, RunSummary, Uncovered } from '../judge/report.ts';
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

type Tint = (text: string) => string;

/** The colours and the width of a summary. */
interface Sheet {
  readonly paint: Paint;
  /** Lines of a text behind an indent. */
  lines(text: string, indent: number, tint?: Tint): readonly string[];
}

/** The report for people: what is broken, what is only noticed, what was covered, and the verdict last. */
export function writeSummary(report: Report, options: SummaryOptions = {}): string {
  const { colour = false, width = 100, failOn = 'error', requireFull = false, everyRule = false } = options;
  const paint = paints(colour);
  const sheet: Sheet = {
    paint,
    lines: (text, indent, tint = (line) => line) =>
      wrap(text, width - indent).map((line) => tint(' '.repeat(indent) + line)),
  };
  const counting = report.findings.filter(({ known }) => known !== true);
  const of = (severity: Severity) => counting.filter((finding) => finding.severity === severity);
  const parts = [
    writeGroup('Errors', of('error'), paint.red, sheet),
    writeGroup('Warnings', of('warning'), paint.yellow, sheet),
    writeDrift(of('drift'), sheet),
    writeCircumstances(report.circumstances, sheet),
    writeCoverage(report.coverage, sheet, everyRule),
    [writeVerdict(report, { failOn, requireFull }, paint)],
  ];
  const written = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${written.join('\n\n')}\n`;
}

function writeGroup(
  title: string,
  findings: readonly Finding[],
  tint: Tint,
  sheet: Sheet,
): readonly string[] {
  if (findings.length === 0) return [];
  const groups = Map.groupBy(findings, ({ rule, operationId }) => `${rule} ${operationId ?? ''}`);
  const blocks = [...groups.values()].flatMap((group) => ['', ...writeRule(group, tint, sheet)]);
  return [sheet.paint.bold(`${title} (${findings.length})`), ...blocks];
}

/** All findings of one rule in one operation: each place and message once, and the way to the first one that a shell can repeat. */
function writeRule(group: readonly Finding[], tint: Tint, sheet: Sheet): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { bold, dim } = sheet.paint;
  const { rule, operationId = 'no operation', section } = first;
  const places = [
    ...Map.groupBy(group, ({ where = '', message }) => `${where} ${message}`.replace(/\d+/g, '*')).values(),
  ];
  const more = places.length - shownPlaces;
  const { exchange, source, curl } = group.find((finding) => finding.curl !== undefined) ?? first;
  const isNamed = source === undefined || exchange.startsWith(source.file);
  const line = source?.line === undefined ? '' : `:${source.line}`;
  return [
    `${tint(bold(rule))}  ${operationId}  ${dim(`section ${section}`)}`,
    ...places.slice(0, shownPlaces).flatMap((findings) => writePlace(findings, sheet)),
    ...(more > 0 ? [dim(`  and ${more} more`)] : []),
    dim(visible(`  seen in: ${exchange}${isNamed ? '' : ` (${source?.file}${line})`}`)),
    // One line, whatever its length: it is made to be copied.
    ...(curl === undefined ? [] : [dim(visible(`  ${curl}`))]),
  ];
}

function writePlace(findings: readonly Finding[], { lines, paint }: Sheet): readonly string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const { message, where, expected, actual } = first;
  const isUnsaid = (text: string | undefined) => text !== undefined && !message.includes(text);
  const details = [
    ...(isUnsaid(where) ? [`at ${where}`] : []),
    ...(isUnsaid(expected) ? [`expected ${expected}`] : []),
    ...(isUnsaid(actual) ? [`found ${actual}`] : []),
  ].join(', ');
  return [
    ...lines(visible(message) + times(findings), 2),
    ...(details === '' ? [] : lines(visible(details), 4, paint.dim)),
  ];
}

function times({ length }: readonly unknown[]): string {
  return length > 1 ? ` (${length} times)` : '';
}

function writeDrift(findings: readonly Finding[], { lines, paint }: Sheet): readonly string[] {
  if (findings.length === 0) return [];
  const places = Map.groupBy(findings, ({ operationId, where }) =>
    visible(`${operationId ?? 'no operation'} ${(where ?? '').replace(/\d+/g, '*')}`).trim(),
  );
  const about = 'Not in the specification. Clients tolerate them; --fail-on drift fails on them.';
  return [
    paint.bold(`Drift (${findings.length})`),
    ...lines(about, 0, paint.dim),
    ...[...places].map(([place, all]) => {
      const rules = [...new Set(all.map(({ rule }) => rule))].join(', ');
      return `  ${place}${times(all)} ${paint.dim(rules)}`;
    }),
  ];
}

function writeCircumstances(all: readonly Circumstance[], { lines, paint }: Sheet): readonly string[] {
  if (all.length === 0) return [];
  return [
    paint.bold('Could not be judged'),
    ...all.flatMap(({ reason, calls, exchange }) => {
      const text = `${countOf(calls, 'call')}, such as "${visible(exchange)}": ${circumstanceWords[reason]}.`;
      return lines(text, 2, paint.yellow);
    }),
  ];
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
        ? `Not all could be judged, because ${[...new Set(report.circumstances.map(({ reason }) => circumstanceWords[reason].split('. ')[0]))].join(' and ')}`
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

/** Writes what was judged, one row per operation, status and media type, and what was not. */
function writeCoverage({ cells, uncovered }: Coverage, sheet: Sheet, everyRule: boolean): readonly string[] {
  const { paint, lines } = sheet;
  const rows = cells.length === 0 ? ['  nothing'] : writeRows(cells, sheet, everyRule);
  if (uncovered.length === 0) return [paint.bold('Coverage'), ...rows];
  return [
    paint.bold('Coverage'),
    ...rows,
    '',
    paint.bold(`Not covered (${uncovered.length})`),
    ...lines(uncovered.map(nameOf).join(', '), 2),
  ];
}

function writeRows(
  cells: readonly CoverageCell[],
  { paint, lines }: Sheet,
  everyRule: boolean,
): readonly string[] {
  const titles = ['operation', 'status', 'media type', 'calls'];
  const rows = cells.map(({ operationId, status, mediaType, exchanges }): readonly string[] => [
    operationId,
    String(status),
    visible(mediaType) || '-',
    String(exchanges),
  ]);
  const widths = titles.map((_, column) =>
    Math.max(...[titles, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[] = []) =>
    row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ');
  return [
    paint.dim(`  ${line(titles)}  rules kept`),
    ...cells.flatMap((cell, index) => {
      const rules = Object.entries(cell.rules);
      const broken = rules.filter(([, count]) => count.broken > 0).map(([id]) => id);
      const kept = `${rules.length - broken.length}/${rules.length}`;
      const each = rules.map(([id, count]) => `${id} ${count.kept}/${count.kept + count.broken}`);
      return [
        `  ${line(rows[index])}  ${broken.length === 0 ? kept : paint.red(kept)}`,
        ...(broken.length === 0 ? [] : lines(`broken: ${broken.join(', ')}`, 6, paint.red)),
        ...(everyRule ? lines(each.join(', '), 6, paint.dim) : []),
      ];
    }),
  ];
}

function nameOf({ operationId, what, mediaType }: Uncovered): string {
  if (what === 'operation') return operationId;
  return `${operationId} ${what === 'request-media-type' ? 'with' : 'as'} ${mediaType}`;
}
