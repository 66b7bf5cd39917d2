import type { Coverage, CoverageCell, Uncovered } from '../judge/coverage.ts';
import type { Paint } from './paint.ts';
import { visible } from './visible.ts';
import { wrap } from './wrap.ts';

interface TableOptions {
  readonly paint: Paint;
  readonly width: number;
  readonly everyRule: boolean;
}

/** What was looked at, a row for each operation, status and media type, and what was not. */
export function writeCoverage({ cells, uncovered }: Coverage, options: TableOptions): string {
  const { paint, width } = options;
  const parts = [paint.bold('Coverage'), ...writeRows(cells, options)];
  if (uncovered.length > 0) {
    const gaps = Map.groupBy(uncovered, ({ reason }) => reason ?? 'nothing was seen of it');
    parts.push('', paint.bold(`Not covered (${uncovered.length})`));
    for (const [reason, group] of gaps) {
      parts.push(
        ...wrap(visible(`${group.map(nameOf).join(', ')}: ${reason}`), width - 2).map((line) => `  ${line}`),
      );
    }
  }
  return parts.join('\n');
}

function writeRows(
  cells: readonly CoverageCell[],
  { paint, everyRule, width }: TableOptions,
): readonly string[] {
  if (cells.length === 0) return ['  nothing'];
  const rows = cells.map((cell) => {
    const rules = Object.entries(cell.rules);
    const broken = rules.filter(([, count]) => count.broken > 0).map(([id]) => id);
    return {
      cell,
      columns: [
        cell.operationId,
        String(cell.status),
        visible(cell.mediaType) || '-',
        String(cell.exchanges),
      ],
      rules: `${rules.length - broken.length}/${rules.length}`,
      broken,
    };
  });
  const titles = ['operation', 'status', 'media type', 'calls'];
  const widths = titles.map((title, index) =>
    Math.max(title.length, ...rows.map(({ columns }) => columns[index]?.length ?? 0)),
  );
  const line = (columns: readonly string[]) =>
    columns.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ');
  return [
    paint.dim(`  ${line(titles)}  rules kept`),
    ...rows.flatMap(({ columns, rules, broken, cell }) => [
      `  ${line(columns)}  ${broken.length === 0 ? rules : paint.red(rules)}`,
      ...(broken.length === 0
        ? []
        : wrap(`broken: ${broken.join(', ')}`, width - 6).map((each) => paint.red(`      ${each}`))),
      ...(everyRule ? wrap(describeRules(cell), width - 6).map((each) => paint.dim(`      ${each}`)) : []),
    ]),
  ];
}

function describeRules({ rules }: CoverageCell): string {
  return Object.entries(rules)
    .map(([id, { kept, broken }]) => `${id} ${kept}/${kept + broken}`)
    .join(', ');
}

function nameOf({ operationId, what, mediaType }: Uncovered): string {
  if (what === 'operation') return operationId;
  return `${operationId} ${what === 'request-media-type' ? 'with' : 'as'} ${mediaType}`;
}
