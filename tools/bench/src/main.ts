import { parseArgs } from 'node:util';
import { type Measured, printJson, printTable } from './report.ts';
import { rows } from './rows/index.ts';

const help = `npm run bench [-- options]

Measures each row beside its reference in the same run and prints a table. Absolute times mean little on a busy
machine; the ratios are what counts.

  --only TEXT  only rows whose id contains this; may be given several times
  --json       JSON in place of the table
  --list       print the ids and measure nothing
  --help       show this
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(help);
else if (values.list) process.stdout.write(`${rows.map(({ id }) => id).join('\n')}\n`);
else await measure();

async function measure(): Promise<void> {
  const chosen = rows.filter(
    ({ id }) => values.only.length === 0 || values.only.some((text) => id.includes(text)),
  );
  const measured: Measured[] = [];
  for (const row of chosen) {
    process.stderr.write(`${row.id} ...\n`);
    try {
      measured.push({ row, results: await row.measure() });
    } catch (error) {
      measured.push({ row, results: [], failure: error instanceof Error ? error.message : String(error) });
      process.exitCode = 1;
    }
  }
  process.stdout.write(values.json ? printJson(measured) : printTable(measured));
}
