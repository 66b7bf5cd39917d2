import type { Uncovered } from '../judge/coverage.ts';
import { counts, type Finding, type Report, type Strictness } from '../judge/report.ts';
import { operations } from '../specification/operations.ts';
import { xml } from './text.ts';

/**
 * The report as JUnit XML: one suite per operation, one case per rule that was judged there.
 *
 * A finding that does not fail the check is in the output of its case. A gap in the coverage is a skipped
 * case.
 */
export function writeJunit({ findings, coverage }: Report, { failOn = 'error' }: Strictness = {}): string {
  const ofOperation = Map.groupBy(findings, ({ operationId = 'no operation' }) => operationId);
  const judged = new Set<string>(
    [...coverage.cells, ...coverage.uncovered].map(({ operationId }) => operationId),
  );
  // Suites are in the order of the document, also those of which nothing was seen.
  const ordered = [...operations().keys()].filter((operation) => judged.has(operation));
  // A command is there once, with the first finding that it repeats.
  const repeated = new Set<string>();
  const total = { tests: 0, failures: 0, skipped: 0 };
  const suites = [...new Set<string>([...ordered, ...ofOperation.keys()])].map((name) => {
    const own = Map.groupBy(ofOperation.get(name) ?? [], ({ rule }) => rule);
    const cells = coverage.cells.filter(({ operationId }) => operationId === name);
    const rules = new Set([...cells.flatMap((cell) => Object.keys(cell.rules)), ...own.keys()]);
    const gaps = coverage.uncovered.filter(({ operationId }) => operationId === name);
    const isFailing = (finding: Finding) => counts(finding, failOn);
    const size = {
      tests: rules.size + gaps.length,
      failures: [...own.values()].filter((group) => group.some(isFailing)).length,
      skipped: gaps.length,
    };
    for (const count of ['tests', 'failures', 'skipped'] as const) total[count] += size[count];
    return [
      `  <testsuite name="${xml(name)}" ${inAttributes(size)}>`,
      ...[...rules].flatMap((rule) => writeCase(name, rule, own.get(rule) ?? [], isFailing, repeated)),
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

function writeGap(suite: string, { what, mediaType, reason = 'nothing was seen of it' }: Uncovered): string {
  const name = nameOf(suite, `coverage: ${[what, mediaType].filter(Boolean).join(' ')}`);
  return `    <testcase ${name}><skipped message="${xml(reason)}"/></testcase>`;
}

function writeCase(
  suite: string,
  rule: string,
  findings: readonly Finding[],
  isFailing: (finding: Finding) => boolean,
  repeated: Set<string>,
): readonly string[] {
  const head = `    <testcase ${nameOf(suite, rule)}`;
  if (findings.length === 0) return [`${head}/>`];
  const written = (wanted: boolean) =>
    findings.filter((each) => isFailing(each) === wanted).map((each) => xml(inWords(each, repeated)));
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

function inWords(finding: Finding, repeated: Set<string>): string {
  const { exchange, message, where, severity, known, curl } = finding;
  const isNew = curl !== undefined && !repeated.has(curl);
  if (isNew) repeated.add(curl);
  const place = where === undefined ? '' : ` (${where})`;
  return `${known === true ? 'known ' : ''}${severity}: ${exchange}: ${message}${place}${isNew ? ` - ${curl}` : ''}`;
}
