import { createHash } from 'node:crypto';
import type { Source } from '../exchange.ts';
import type { Finding, Report } from '../judge/report.ts';
import type { Severity } from '../specification/rules.ts';
import { clientRules, serviceRules, severityOf } from '../specification/rules.ts';
import { ruleNotes } from '../tool.ts';
import { visible } from './text.ts';

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  drift: 'note',
};

/** The report as SARIF 2.1.0, grouped by rule. A known violation is there as a suppressed result. */
export function writeSarif(report: Report): string {
  return `${JSON.stringify(sarifOf(report), null, 2)}\n`;
}

export type Sarif = ReturnType<typeof sarifOf>;

function sarifOf(report: Report) {
  const rules = [...serviceRules().values(), ...clientRules().values()];
  const notes = ruleNotes();
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: report.tool.name,
            version: report.tool.version,
            semanticVersion: report.tool.version,
            rules: rules.map((rule) => ({
              id: rule.id,
              shortDescription: { text: rule.text },
              help: { text: `${rule.text} (section ${rule.section} of the interface)` },
              defaultConfiguration: { level: levels[severityOf(rule)] },
              properties: { section: rule.section, tags: [rule.subject] },
            })),
          },
        },
        results: rules.flatMap((rule, index) =>
          report.findings
            .filter((finding) => finding.rule === rule.id)
            .map((finding) =>
              writeResult(finding, index, { file: rule.file, line: notes[rule.id]?.line ?? 1 }),
            ),
        ),
        columnKind: 'unicodeCodePoints',
      },
    ],
  };
}

function writeResult(finding: Finding, ruleIndex: number, stated: Source) {
  const { rule, severity, message, operationId = 'no operation', where, exchange } = finding;
  const { expected, actual, curl, source, known } = finding;
  const place = `${operationId}${where === undefined ? '' : ` ${where}`}`;
  return {
    ruleId: rule,
    ruleIndex,
    level: levels[severity],
    message: { text: visible(`${exchange}: ${message}`) },
    locations: [
      {
        // A server has no files: what was not read from a recording is shown where its rule is stated.
        physicalLocation:
          source === undefined ? locationOf(stated) : locationOf({ ...source, file: uriOf(source.file) }),
        logicalLocations: [{ fullyQualifiedName: visible(place), kind: 'member' }],
      },
    ],
    // The same violation in a later run is the same alert.
    partialFingerprints: {
      'rulePlace/v1': createHash('sha256')
        .update(`${rule} ${place.replace(/\d+/g, '*')}`)
        .digest('hex')
        .slice(0, 32),
    },
    properties: {
      exchange: visible(exchange),
      ...(expected !== undefined && { expected: visible(expected) }),
      ...(actual !== undefined && { actual: visible(actual) }),
      ...(curl !== undefined && { curl: visible(curl) }),
    },
    ...(known === true && {
      suppressions: [{ kind: 'external', justification: 'It is in the baseline.' }],
    }),
  };
}

function locationOf({ file, line = 1 }: Source) {
  return { artifactLocation: { uri: file }, region: { startLine: line } };
}

/** A path as a relative reference; each step is escaped, since a file may be called anything. */
function uriOf(path: string): string {
  return path.split(/[\\/]/).map(encodeURIComponent).join('/');
}
