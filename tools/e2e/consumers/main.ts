// `npm run consumers`: uses the packages as they are packed, in many ways.
import { parseArgs } from 'node:util';
import { packAll } from '@speech-api/run/packed';
import { serveArchives } from '@speech-api/run/registry';
import { startSandbox } from '@speech-api/sandbox';
import { consumersOf } from './consumer.ts';
import { consumers } from './consumers.ts';

const ids = consumers.map(({ id }) => id);
const help = `npm run consumers -- [--only ID,ID]

Packs the published packages, installs them in empty folders and uses them. Needs the registry.
Without --only it runs all of them: ${ids.join(', ')}.
`;

/** The consumers that are asked for, or what is wrong with the question. */
function readWanted(): readonly string[] | { readonly problem: string } {
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } });
    if (values.help) return [];
    const wanted = values.only?.split(',') ?? ids;
    const unknown = wanted.find((id) => !ids.includes(id));
    return unknown === undefined
      ? wanted
      : { problem: `Unknown consumer "${unknown}". Use one or more of ${ids.join(', ')}.` };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Runs them one after the other and resolves with how many failed. */
async function runAll(wanted: readonly string[]): Promise<number> {
  const sandbox = await startSandbox({ port: 0, logger: () => {} });
  const { packages, remove } = await packAll();
  const registry = await serveArchives(packages);
  const { use, close } = consumersOf({ packages, url: sandbox.url }, registry.url);
  let failed = 0;
  for (const consumer of consumers.filter(({ id }) => wanted.includes(id))) {
    const began = performance.now();
    try {
      await use(consumer);
      const seconds = ((performance.now() - began) / 1000).toFixed(0);
      process.stdout.write(`passed ${consumer.id.padEnd(14)} ${consumer.promise} (${seconds} s)\n`);
    } catch (error) {
      failed += 1;
      const reason = error instanceof Error ? error.message : String(error);
      process.stdout.write(`FAILED ${consumer.id.padEnd(14)} ${reason}\n`);
    }
  }
  await close();
  await registry.close();
  remove();
  await sandbox.close();
  return failed;
}

const wanted = readWanted();
if ('problem' in wanted) {
  process.stderr.write(`${wanted.problem}\n`);
  process.exitCode = 2;
} else if (wanted.length === 0) process.stdout.write(help);
else process.exitCode = (await runAll(wanted)) > 0 ? 1 : 0;
