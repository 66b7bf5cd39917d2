import {
  counts,
  exitCodeOf,
  type Finding,
  type Report,
  type Strictness,
  type Uncovered,
} from '../judge/report.ts';
import { operations } from '../specification/document.ts';
import type { Severity } from '../specification/rules.ts';
import { visible, xml } from './text.ts';
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

/**
 * The report as JUnit XML: one suite per operation, one case per rule that was judged there.
 *
 * A finding that does not fail the check is in the output of its case. A gap in the coverage is a skipped
 * case.
 */
function writeJunit({ findings, coverage }: Report, { failOn = 'error' }: Strictness = {}): string {
  const ofOperation = Map.groupBy(findings, ({ operationId = 'no operation' }) => operationId);
  const judged = new Set<string>(
    [...coverage.cells, ...coverage.uncovered].map(({ operationId }) => operationId),
  );
  // Suites are in the order of the document, including those without any call.
  const ordered = [...operations().keys()].filter((operation) => judged.has(operation));
  const total = { tests: 0, failures: 0, skipped: 0 };
  const suites = [...new Set<string>([...ordered, ...ofOperation.keys()])].map((name) => {
    const byRule = Map.groupBy(ofOperation.get(name) ?? [], ({ rule }) => rule);
    const cells = coverage.cells.filter(({ operationId }) => operationId === name);
    const rules = new Set([...cells.flatMap((cell) => Object.keys(cell.rules)), ...byRule.keys()]);
    const gaps = coverage.uncovered.filter(({ operationId }) => operationId === name);
    const isFailing = (finding: Finding) => counts(finding, failOn);
    const size = {
      tests: rules.size + gaps.length,
      failures: [...byRule.values()].filter((group) => group.some(isFailing)).length,
      skipped: gaps.length,
    };
    for (const count of ['tests', 'failures', 'skipped'] as const) total[count] += size[count];
    return [
      `  <testsuite name="${xml(name)}" ${inAttributes(size)}>`,
      ...[...rules].flatMap((rule) => writeCase(name, rule, byRule.get(rule) ?? [], isFailing)),
      ...gaps.map((gap) => writeGap(name, gap)),
      '  </testsuite>',
    ];
  });
  const head = `<testsuites name="speech-contract" ${inAttributes(total)}>`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites.flat(), '</testsuites>', ''].join('\n');
}

function inAttributes({
  tests,
  failures,
  skipped,
}: Record<'tests' | 'failures' | 'skipped', number>): string {
  return `tests="${tests}" failures="${failures}" skipped="${skipped}" errors="0"`;
}

function nameOf(suite: string, name: string): string {
  return `classname="${xml(`speech-contract.${suite}`)}" name="${xml(name)}"`;
}

function writeGap(suite: string, { what, mediaType }: Uncovered): string {
  const name = nameOf(suite, `coverage: ${[what, mediaType].filter(Boolean).join(' ')}`);
  return `    <testcase ${name}><skipped message="no success of it was seen"/></testcase>`;
}

function writeCase(
  suite: string,
  rule: string,
  findings: readonly Finding[],
  isFailing: (finding: Finding) => boolean,
): readonly string[] {
  const head = `    <testcase ${nameOf(suite, rule)}`;
  if (findings.length === 0) return [`${head}/>`];
  const written = (mustFail: boolean) =>
    findings.filter((finding) => isFailing(finding) === mustFail).map((each) => xml(inWords(each)));
  const failure = findings.find(isFailing);
  const [failing, others] = [written(true), written(false)];
  return [
    `${head}>`,
    ...(failure === undefined
      ? []
      : [
          `      <failure type="${xml(failure.severity)}" message="${xml(failure.message)}">`,
          ...failing,
          '      </failure>',
        ]),
    ...(others.length === 0 ? [] : ['      <system-out>', ...others, '      </system-out>']),
    '    </testcase>',
  ];
}

function inWords({ exchange, message, where, severity, known, curl }: Finding): string {
  const place = where === undefined ? '' : ` (${where})`;
  const command = curl === undefined ? '' : ` - ${curl}`;
  return `${known === true ? 'known ' : ''}${severity}: ${exchange}: ${message}${place}${command}`;
}
