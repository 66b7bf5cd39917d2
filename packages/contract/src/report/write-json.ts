import { counts, exitCodeOf, type Strictness } from '../judge/exit-code.ts';
import type { Report } from '../judge/report.ts';

/** The report as JSON, by `report.schema.json` of this package. */
export function writeJson(report: Report, strictness: Strictness = {}): string {
  const { findings, tool, specification, coverage, exchanges, ...more } = report;
  const verdict = (['kept', 'broken', 'not judged'] as const)[exitCodeOf(report, strictness)];
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
    coverage,
    exchanges,
    ...more,
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}
