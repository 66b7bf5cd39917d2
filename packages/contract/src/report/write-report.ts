import type { Strictness } from '../judge/exit-code.ts';
import type { Report } from '../judge/report.ts';
import { writeAnnotations } from './write-annotations.ts';
import { writeJson } from './write-json.ts';
import { writeJunit } from './write-junit.ts';
import { writeSarif } from './write-sarif.ts';
import { writeSummary } from './write-summary.ts';

/** The formats of a report. */
export const reportFormats = ['summary', 'json', 'junit', 'sarif', 'github'] as const;

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
    case 'sarif':
      return writeSarif(report);
    case 'github':
      return writeAnnotations(report, strictness);
  }
}
