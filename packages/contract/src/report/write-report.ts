import { counts, exitCodeOf, type Finding, type Report, type Strictness } from '../judge/report.ts';
import type { Severity } from '../specification/rules.ts';
import { visible } from './text.ts';
import { writeJunit } from './write-junit.ts';
import { writeSummary } from './write-summary.ts';

/** The formats of a report. */
export const reportFormats = ['summary', 'json', 'junit', 'github'] as const;

export type ReportFormat = (typeof reportFormats)[number];

/** Writes a report; every text of a server in it is escaped as the format needs. */
export function writeReport(format: ReportFormat, report: Report, strictness: Strictness = {}): string {
  switch (format) {
    case 'summary':
      return writeSummary(report, strictness);
    case 'json':
      return writeJson(report, strictness);
    case 'junit':
      return writeJunit(report, strictness);
    case 'github':
      return writeAnnotations(report, strictness);
  }
}

/** The report as JSON, by `report.schema.json` of this package. */
function writeJson(report: Report, strictness: Strictness = {}): string {
  const { findings, tool, specification, circumstances, coverage, exchanges, ...more } = report;
  const isBroken = findings.some((finding) => counts(finding, strictness.failOn));
  const verdicts = ['kept', isBroken ? 'broken' : 'not fully covered', 'not judged'] as const;
  const verdict = verdicts[exitCodeOf(report, strictness)];
  const written = {
    version: 1,
    tool,
    specification,
    verdict,
    counts: {
      errors: findings.filter((finding) => finding.severity === 'error' && counts(finding)).length,
      warnings: findings.filter((finding) => finding.severity === 'warning' && counts(finding, 'warning'))
        .length,
      drift: findings.filter(({ severity }) => severity === 'drift').length,
      known: findings.filter(({ known }) => known === true).length,
      exchanges: exchanges.length,
    },
    findings: findings.filter(({ severity }) => severity !== 'drift'),
    drift: findings.filter(({ severity }) => severity === 'drift'),
    circumstances,
    coverage,
    exchanges,
    ...more,
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}

/**
 * The report as commands of GitHub's runner: an annotation for each rule and place, however often it was seen,
 * one notice for all drift, and with `requireFull` one error for all gaps.
 */
function writeAnnotations(
  report: Report,
  { failOn = 'error', requireFull = false }: Strictness = {},
): string {
  const counting = report.findings.filter(({ severity, known }) => severity !== 'drift' && known !== true);
  const places = Map.groupBy(counting, ({ rule, operationId, severity, where = '', source }) =>
    [rule, operationId, severity, where.replace(/\d+/g, '*'), source?.file].join(' '),
  );
  const lines = [...places.values()].flatMap(([finding, ...others]) =>
    finding === undefined ? [] : [writeAnnotation(finding, others.length, failOn)],
  );
  const gaps = report.coverage.uncovered.length;
  if (requireFull && gaps > 0) {
    lines.push(`::error title=not fully covered::${gaps} ${gaps === 1 ? 'gap' : 'gaps'} in the coverage`);
  }
  const drift = report.findings.filter(({ severity }) => severity === 'drift').length;
  if (drift > 0) lines.push(`::notice title=drift::${drift} additions that the specification does not know`);
  return lines.map((line) => `${line}\n`).join('');
}

function writeAnnotation(finding: Finding, others: number, failOn: Severity): string {
  const { rule, operationId, message, exchange, where, source } = finding;
  const properties = [
    ...(source === undefined ? [] : [`file=${property(source.file)}`]),
    ...(source?.line === undefined ? [] : [`line=${source.line}`]),
    `title=${property(`${rule} (${operationId ?? 'no operation'})`)}`,
  ];
  const place = where === undefined ? '' : ` (${where})`;
  const times = others === 0 ? '' : `, and ${others} more like it`;
  const level = counts(finding, failOn) ? 'error' : 'warning';
  return `::${level} ${properties.join(',')}::${data(`${exchange}: ${message}${place}${times}`)}`;
}

/** The text of a command. Line ends are already escaped, so no answer can begin another command. */
function data(text: string): string {
  return visible(text).replaceAll('%', '%25');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
