import { cpus, loadavg, totalmem } from 'node:os';
import type { Result, Row } from './row.ts';

/** A row with what was measured, or why it was not. */
export interface Measured {
  readonly row: Row;
  readonly results: readonly Result[];
  readonly failure?: string;
}

/** The table, in Markdown. */
export function printTable(measured: readonly Measured[]): string {
  const lines = ['| what | target | reference | ours | ratio | met |', '|---|---|---|---|---|---|'];
  for (const { row, results, failure } of measured) {
    if (failure !== undefined) lines.push(`| ${row.what} | ${row.target} | | failed: ${failure} | | no |`);
    for (const result of results) {
      const { variant, ours, unit, reference, peers = [], met } = result;
      const beside = [reference, ...peers].map(({ name, value }) => `${name} ${printFigure(value)} ${unit}`);
      lines.push(
        `| ${row.what}${variant === undefined ? '' : `: ${variant}`} | ${row.target} | ${beside.join('; ')} | ` +
          `${printFigure(ours)} ${unit} | ${ratioOf(result)} | ${met === undefined ? '-' : met ? 'yes' : 'no'} |`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

/** The same for machines, with when and where it was measured. */
export function printJson(measured: readonly Measured[]): string {
  const machine = {
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    processors: cpus().length,
    memoryBytes: totalmem(),
    // What else the machine was doing: above the number of processors, times of the clock are those of a busy machine.
    loadAverage: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
  const rows = measured.map(({ row: { id, what, target }, results, failure }) => ({
    id,
    what,
    target,
    results: results.map((result) => ({ ...result, ratio: result.ours / result.reference.value })),
    ...(failure !== undefined && { failure }),
  }));
  return `${JSON.stringify({ measuredAt: new Date().toISOString(), machine, rows }, null, 2)}\n`;
}

function ratioOf({ ours, reference }: Result): string {
  return reference.value === 0 ? '' : printFigure(ours / reference.value);
}

/** Three digits that count. */
function printFigure(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
