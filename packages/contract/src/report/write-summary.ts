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
import { countOf, visible } from './text.ts';

/** Places and messages of one rule and operation that are shown; the others are counted. */
const shownPlaces = 6;

/** The report for people: violations, remarks, coverage and, last, the verdict. */
export function writeSummary(report: Report, strictness: Strictness = {}): string {
  const counting = report.findings.filter(({ known }) => known !== true);
  const of = (severity: Severity) => counting.filter((finding) => finding.severity === severity);
  const parts = [
    writeGroup('Errors', of('error')),
    writeGroup('Warnings', of('warning')),
    writeDrift(of('drift')),
    writeCircumstances(report.circumstances),
    writeCoverage(report.coverage),
    [writeVerdict(report, strictness)],
  ];
  const written = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${written.join('\n\n')}\n`;
}

function writeGroup(title: string, findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return [];
  const groups = Map.groupBy(findings, ({ rule, operationId }) => `${rule} ${operationId ?? ''}`);
  const blocks = [...groups.values()].flatMap((group) => ['', ...writeRule(group)]);
  return [`${title} (${findings.length})`, ...blocks];
}

/** All findings of one rule in one operation: each place and message once, with the first command that repeats it. */
function writeRule(group: readonly Finding[]): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { rule, operationId = 'no operation', section } = first;
  const places = [
    ...Map.groupBy(group, ({ where = '', message }) => `${where} ${message}`.replace(/\d+/g, '*')).values(),
  ];
  const more = places.length - shownPlaces;
  const { exchange, source, curl } = group.find((finding) => finding.curl !== undefined) ?? first;
  const isNamed = source === undefined || exchange.startsWith(source.file);
  const line = source?.line === undefined ? '' : `:${source.line}`;
  return [
    `${rule}  ${operationId}  section ${section}`,
    ...places.slice(0, shownPlaces).flatMap(writePlace),
    ...(more > 0 ? [`  and ${more} more`] : []),
    visible(`  seen in: ${exchange}${isNamed ? '' : ` (${source?.file}${line})`}`),
    ...(curl === undefined ? [] : [visible(`  ${curl}`)]),
  ];
}

function writePlace(findings: readonly Finding[]): readonly string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const { message, where, expected, actual } = first;
  const isUnsaid = (text: string | undefined) => text !== undefined && !message.includes(text);
  const details = [
    ...(isUnsaid(where) ? [`at ${where}`] : []),
    ...(isUnsaid(expected) ? [`expected ${expected}`] : []),
    ...(isUnsaid(actual) ? [`found ${actual}`] : []),
  ].join(', ');
  return [`  ${visible(message)}${times(findings)}`, ...(details === '' ? [] : [`    ${visible(details)}`])];
}

function times({ length }: readonly unknown[]): string {
  return length > 1 ? ` (${length} times)` : '';
}

function writeDrift(findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return [];
  const places = Map.groupBy(findings, ({ operationId, where }) =>
    visible(`${operationId ?? 'no operation'} ${(where ?? '').replace(/\d+/g, '*')}`).trim(),
  );
  return [
    `Drift (${findings.length})`,
    'Not in the specification. Clients tolerate them; --fail-on drift fails on them.',
    ...[...places].map(([place, all]) => {
      const rules = [...new Set(all.map(({ rule }) => rule))].join(', ');
      return `  ${place}${times(all)} ${rules}`;
    }),
  ];
}

function writeCircumstances(all: readonly Circumstance[]): readonly string[] {
  if (all.length === 0) return [];
  return [
    'Could not be judged',
    ...all.map(
      ({ reason, calls, exchange }) =>
        `  ${countOf(calls, 'call')}, such as "${visible(exchange)}": ${circumstanceWords[reason]}.`,
    ),
  ];
}

function writeVerdict(report: Report, strictness: Strictness): string {
  const count = report.findings.filter((finding) => finding.known === true).length;
  const number = (severity: Severity) =>
    report.findings.filter((finding) => finding.severity === severity && finding.known !== true).length;
  const counted = [
    countOf(number('error'), 'error'),
    countOf(number('warning'), 'warning'),
    `${number('drift')} drift`,
    ...(count > 0 ? [`${count} known`] : []),
    countOf(report.exchanges.length, 'exchange'),
  ].join(', ');
  const isBroken = report.findings.some((finding) => counts(finding, strictness.failOn));
  const sentence = `The contract is kept in what was tried${triedOf(report)}`;
  const verdicts = [
    sentence,
    isBroken ? 'The contract is broken' : `${sentence}, and not fully covered`,
    whyNotJudged(report),
  ];
  const verdict = verdicts[exitCodeOf(report, strictness)];
  return `${verdict}: ${counted}. Judged by @speech-api/spec ${report.specification.version}.`;
}

function whyNotJudged(report: Report): string {
  const reasons = report.circumstances.map(({ reason }) => circumstanceWords[reason].split('. ')[0]);
  const silent = neverAnswered(report);
  if (reasons.length > 0) return `Not all could be judged, because ${[...new Set(reasons)].join(' and ')}`;
  if (silent.length === 0) return 'Nothing could be judged';
  return `Not all could be judged, because ${silent.join(', ')} never succeeded`;
}

/** The share of the judge's calls that were made: a run may leave out most of them. */
function triedOf(report: Report & { readonly run?: Pick<RunSummary, 'calls'> }): string {
  return report.run === undefined ? '' : ` (${report.run.calls.tried} of ${report.run.calls.known} calls)`;
}

/** Writes the coverage, one row per operation, status and media type, and then the gaps. */
function writeCoverage({ cells, uncovered }: Coverage): readonly string[] {
  const rows = cells.length === 0 ? ['  nothing'] : writeRows(cells);
  if (uncovered.length === 0) return ['Coverage', ...rows];
  const gaps = uncovered.map(nameOf).join(', ');
  return ['Coverage', ...rows, '', `Not covered (${uncovered.length})`, `  ${gaps}`];
}

function writeRows(cells: readonly CoverageCell[]): readonly string[] {
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
    `  ${line(titles)}  rules kept`,
    ...cells.flatMap((cell, index) => {
      const rules = Object.entries(cell.rules);
      const broken = rules.filter(([, count]) => count.broken > 0).map(([id]) => id);
      return [
        `  ${line(rows[index])}  ${rules.length - broken.length}/${rules.length}`,
        ...(broken.length === 0 ? [] : [`      broken: ${broken.join(', ')}`]),
      ];
    }),
  ];
}

function nameOf({ operationId, what, mediaType }: Uncovered): string {
  if (what === 'operation') return operationId;
  return `${operationId} ${what === 'request-media-type' ? 'with' : 'as'} ${mediaType}`;
}
