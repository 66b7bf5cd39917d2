import { counts, type Finding, type Report, type Strictness } from '../judge/report.ts';
import { operations } from '../specification/operations.ts';
import type { Severity } from '../specification/rules.ts';
import { xml } from './text.ts';

/**
 * The report as JUnit XML: one suite per operation, one case per rule that was judged there.
 *
 * A finding that does not fail the check is in the output of its case. A gap in the coverage is a skipped
 * case.
 */
export function writeJunit(report: Report, { failOn = 'error' }: Strictness = {}): string {
  // A command is there once, with the first finding that it repeats.
  const repeated = new Set<string>();
  const suites = suitesOf(report).map((suite) => writeSuite(suite, failOn, repeated));
  const total = (name: 'tests' | 'failures' | 'skipped') =>
    suites.reduce((sum, suite) => sum + suite[name], 0);
  const head = `tests="${total('tests')}" failures="${total('failures')}" skipped="${total('skipped')}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="speech-contract" ${head}>`,
    ...suites.map(({ text }) => text),
    '</testsuites>',
    '',
  ].join('\n');
}

interface Suite {
  readonly name: string;
  readonly cases: ReadonlyMap<string, readonly Finding[]>;
  readonly gaps: readonly { readonly name: string; readonly reason: string }[];
}

function suitesOf({ findings, coverage }: Report): readonly Suite[] {
  const cases = new Map<string, Map<string, Finding[]>>();
  const casesOf = (operation: string): Map<string, Finding[]> => {
    const known = cases.get(operation) ?? new Map<string, Finding[]>();
    cases.set(operation, known);
    return known;
  };
  // Suites are in the order of the document, also those of which nothing was seen.
  const judged = new Set([...coverage.cells, ...coverage.uncovered].map(({ operationId }) => operationId));
  for (const operationId of operations().keys()) if (judged.has(operationId)) casesOf(operationId);
  for (const { operationId, rules } of coverage.cells) {
    for (const rule of Object.keys(rules)) casesOf(operationId).set(rule, []);
  }
  for (const finding of findings) {
    const own = casesOf(finding.operationId ?? 'no operation');
    own.set(finding.rule, [...(own.get(finding.rule) ?? []), finding]);
  }
  return [...cases].map(([name, own]) => ({
    name,
    cases: own,
    gaps: coverage.uncovered
      .filter(({ operationId }) => operationId === name)
      .map(({ what, mediaType, reason }) => ({
        name: `${what}${mediaType === undefined ? '' : ` ${mediaType}`}`,
        reason: reason ?? 'nothing was seen of it',
      })),
  }));
}

function writeSuite({ name, cases, gaps }: Suite, failOn: Severity, repeated: Set<string>) {
  const written = [...cases].map(([rule, findings]) => writeCase(name, rule, findings, failOn, repeated));
  const failures = [...cases.values()].filter((findings) =>
    findings.some((each) => counts(each, failOn)),
  ).length;
  const skipped = gaps.map(
    (gap) =>
      `    <testcase classname="${xml(`speech-contract.${name}`)}" name="${xml(`coverage: ${gap.name}`)}">` +
      `<skipped message="${xml(gap.reason)}"/></testcase>`,
  );
  const tests = cases.size + gaps.length;
  const head = `tests="${tests}" failures="${failures}" skipped="${gaps.length}" errors="0"`;
  const text = [`  <testsuite name="${xml(name)}" ${head}>`, ...written, ...skipped, '  </testsuite>'].join(
    '\n',
  );
  return { text, tests, failures, skipped: gaps.length };
}

function writeCase(
  suite: string,
  rule: string,
  findings: readonly Finding[],
  failOn: Severity,
  repeated: Set<string>,
): string {
  const head = `    <testcase classname="${xml(`speech-contract.${suite}`)}" name="${xml(rule)}"`;
  if (findings.length === 0) return `${head}/>`;
  const failing = findings.filter((finding) => counts(finding, failOn));
  const others = findings.filter((finding) => !counts(finding, failOn));
  const failure = failing[0];
  return [
    `${head}>`,
    ...(failure === undefined
      ? []
      : [
          `      <failure type="${xml(failure.severity)}" message="${xml(failure.message)}">`,
          ...failing.map((each) => xml(inWords(each, repeated))),
          '      </failure>',
        ]),
    ...(others.length === 0
      ? []
      : ['      <system-out>', ...others.map((each) => xml(inWords(each, repeated))), '      </system-out>']),
    '    </testcase>',
  ].join('\n');
}

function inWords(finding: Finding, repeated: Set<string>): string {
  const { exchange, message, where, severity, known } = finding;
  const curl = finding.curl !== undefined && repeated.has(finding.curl) ? undefined : finding.curl;
  if (curl !== undefined) repeated.add(curl);
  const place = where === undefined ? '' : ` (${where})`;
  return `${known === true ? 'known ' : ''}${severity}: ${exchange}: ${message}${place}${curl === undefined ? '' : ` - ${curl}`}`;
}
