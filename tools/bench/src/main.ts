import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { calls } from './calls.ts';
import { encoding } from './encoding.ts';
import { events } from './events.ts';
import { liveFrames } from './live.ts';
import type { Result, Row } from './measure.ts';
import { servers } from './servers.ts';
import { sizes } from './sizes.ts';

const help = `npm run bench [-- options]

Measures each row and its references in the same run and prints a table. Absolute times mean little on a busy
machine; compare the ratios.

  --only TEXT  only rows whose id contains this, such as bundle or overhead; may be given several times
  --json       print JSON instead of the table
  --help       show this
`;

const rows: readonly Row[] = [...sizes, ...calls, ...events, encoding, ...servers, liveFrames];

interface Measured extends Omit<Row, 'measure'> {
  readonly results: readonly Result[];
  readonly failure?: string;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(help);
else {
  const commit = commitOfTree();
  const measured: Measured[] = [];
  for (const { measure, ...row } of rows.filter(({ id }) => values.only.some((text) => id.includes(text)))) {
    process.stderr.write(`${row.id} ...\n`);
    try {
      measured.push({ ...row, results: await measure() });
    } catch (error) {
      measured.push({ ...row, results: [], failure: error instanceof Error ? error.message : String(error) });
      process.exitCode = 1;
    }
  }
  process.stdout.write(values.json ? toJson(measured, commit) : toTable(measured));
}

function toTable(measured: readonly Measured[]): string {
  const lines = ['| what | target | reference | ours | ratio | met |', '|---|---|---|---|---|---|'];
  for (const { what, target, results, failure } of measured) {
    if (failure !== undefined) lines.push(`| ${what} | ${target} | | failed: ${failure} | | no |`);
    for (const { variant, ours, unit, references, met } of results) {
      const title = variant === undefined ? what : `${what}: ${variant}`;
      const others = Object.entries(references).map(([name, value]) => `${name} ${toFigure(value)} ${unit}`);
      const ratio = toFigure(ours / (Object.values(references)[0] ?? Number.NaN));
      lines.push(
        `| ${title} | ${target} | ${others.join('; ')} | ${toFigure(ours)} ${unit} | ${ratio} | ${met ? 'yes' : 'no'} |`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Rounds to three significant digits. */
function toFigure(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** The measured commit, marked if files differ from it. */
function commitOfTree(): string {
  const words = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  return execFileSync('git', words, { encoding: 'utf8' }).trim();
}

/** The same results for machines, with time and place of the measurement. */
function toJson(rows: readonly Measured[], commit: string): string {
  const machine = {
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    // With a load above the number of processors, wall-clock times are unreliable.
    loadAverage: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
  return `${JSON.stringify({ measuredAt: new Date().toISOString(), commit, machine, rows }, null, 2)}\n`;
}
