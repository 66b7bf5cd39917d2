import { counts, type Strictness } from '../judge/exit-code.ts';
import type { Report } from '../judge/report.ts';
import { visible } from './visible.ts';

/** The report as commands of GitHub's runner: an annotation for each error and warning, one notice for all drift. */
export function writeAnnotations(report: Report, { failOn = 'error' }: Strictness = {}): string {
  const counting = report.findings.filter(({ severity, known }) => severity !== 'drift' && known !== true);
  const lines = counting.map((finding) => {
    const { rule, operationId, message, exchange, where, source } = finding;
    const properties = [
      ...(source === undefined ? [] : [`file=${property(source.file)}`]),
      ...(source?.line === undefined ? [] : [`line=${source.line}`]),
      `title=${property(`${rule} (${operationId ?? 'no operation'})`)}`,
    ];
    const place = where === undefined ? '' : ` (${where})`;
    const level = counts(finding, failOn) ? 'error' : 'warning';
    return `::${level} ${properties.join(',')}::${data(`${exchange}: ${message}${place}`)}`;
  });
  const drift = report.findings.filter(({ severity }) => severity === 'drift').length;
  if (drift > 0) lines.push(`::notice title=drift::${drift} additions that the specification does not know`);
  return lines.map((line) => `${line}\n`).join('');
}

/** The text of a command. Line ends are written out already, so no answer can begin a command of its own. */
function data(text: string): string {
  return visible(text).replaceAll('%', '%25');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
