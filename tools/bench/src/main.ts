import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import type { Result, Row } from './measure.ts';
import { calls } from './rows/calls.ts';
import { growth } from './rows/growth.ts';
import { live } from './rows/live.ts';
import { recordings } from './rows/recordings.ts';
import { references } from './rows/references.ts';
import { relay } from './rows/relay.ts';
import { sandboxSpeech } from './rows/sandbox.ts';
import { scale } from './rows/scale.ts';
import { servers } from './rows/servers.ts';
import { sizes } from './rows/size.ts';
import { starts } from './rows/start.ts';
import { timestamps } from './rows/timestamps.ts';

const help = `npm run bench [-- options]

Measures each row and its references in the same run and prints a table. Absolute times mean little on a busy
machine; compare the ratios.

  --only TEXT  only rows whose id contains this; may be given several times
  --json       print JSON instead of the table
  --list       print the ids and measure nothing
  --help       show this
`;

const rows: readonly Row[] = [
  ...sizes,
  ...starts,
  ...calls,
  ...timestamps,
  ...references,
  sandboxSpeech,
  recordings,
  ...servers,
  ...live,
  ...relay,
  ...growth,
  scale,
];

interface Measured extends Omit<Row, 'measure'> {
  readonly results: readonly Result[];
  readonly failure?: string;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(help);
else if (values.list) process.stdout.write(`${rows.map(({ id }) => id).join('\n')}\n`);
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
      const verdict = met === undefined ? '-' : met ? 'yes' : 'no';
      lines.push(
        `| ${title} | ${target} | ${others.join('; ')} | ${toFigure(ours)} ${unit} | ${ratio} | ${verdict} |`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Three digits that count. */
function toFigure(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** The commit that is measured, marked when files differ from it; undefined outside a clone. */
function commitOfTree(): string | undefined {
  const words = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  try {
    return execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** The same for machines, with when and where it was measured. */
function toJson(rows: readonly Measured[], commit: string | undefined): string {
  const machine = {
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    processors: cpus().length,
    memoryBytes: totalmem(),
    // Above the number of processors, times of the clock are those of a busy machine.
    loadAverage: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
  return `${JSON.stringify({ measuredAt: new Date().toISOString(), commit, machine, rows }, null, 2)}\n`;
}
