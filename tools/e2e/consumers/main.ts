// node consumers/main.ts [--only node22,bun] [--list]: uses the packages as they are packed in many ways.
import { parseArgs } from 'node:util';
import { startSandbox } from '@speech-api/sandbox';
import { consumers } from './consumers.ts';
import { surround } from './surroundings.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, list: { type: 'boolean' } } });
const ids = consumers.map(({ id }) => id);
const wanted = values.only?.split(',') ?? ids;
const unknown = wanted.filter((id) => !ids.includes(id));
if (unknown.length > 0) {
  process.stderr.write(`Unknown consumer "${unknown[0]}". Use one or more of ${ids.join(', ')}.\n`);
  process.exit(2);
}
if (values.list) {
  process.stdout.write(`${ids.join('\n')}\n`);
  process.exit(0);
}
const sandbox = await startSandbox({ port: 0, logger: () => {} });
const { surroundings, close } = await surround(sandbox.url);
let failed = 0;
for (const { id, use } of consumers.filter((consumer) => wanted.includes(consumer.id))) {
  const began = performance.now();
  try {
    const used = await use(surroundings);
    process.stdout.write(`passed ${id.padEnd(10)} ${used} (${seconds(began)} s)\n`);
  } catch (error) {
    failed += 1;
    process.stdout.write(
      `FAILED ${id.padEnd(10)} ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}
await close();
await sandbox.close();
process.exitCode = failed > 0 ? 1 : 0;

function seconds(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(0);
}
