import {
  missingPrograms,
  type Outcome,
  runTool,
  type Tool,
  tools,
  writeResults,
} from '@speech-api/recipes/clients';
import { type AllPacked, packAll } from '@speech-api/run/packed';
import { type Registry, serveArchives } from '@speech-api/run/registry';
import { type RunningSandbox, startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consumersOf, key } from './consumer.ts';
import { consumers } from './consumers.ts';
import { emptyProject } from './installers.ts';

// The packages as they are published, installed by npm outside of this repository. Third-party packages come from the
// registry. Each consumer is also part of a job of .github/workflows/consumers.yml.

let sandbox: RunningSandbox;
let packed: AllPacked;
let registry: Registry;
let used: ReturnType<typeof consumersOf>;
const outcomes = new Map<Tool, Outcome>();

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, logger: () => {} });
  packed = await packAll();
  registry = await serveArchives(packed.packages);
  used = consumersOf({ packages: packed.packages, url: sandbox.url }, registry.url);
});

afterAll(async () => {
  writeResults(outcomes);
  await used?.close();
  await registry?.close();
  packed?.remove();
  await sandbox?.close();
});

const ids = [...consumers, ...tools].map(({ id }) => id);
const toolIds = tools.map(({ id }) => id).join();
const names = process.env.CONSUMERS?.replace(/\btools\b/, toolIds).split(',') ?? ids;
const unknown = names.find((id) => !ids.includes(id));
if (unknown !== undefined)
  throw new Error(`CONSUMERS names "${unknown}"; use one or more of tools, ${ids.join(', ')}`);

test.concurrent.each(consumers.filter(({ id }) => names.includes(id)))('$id: $promise', (consumer) =>
  used.use(consumer),
);

const rows = tools
  .filter(({ id }) => names.includes(id))
  .map((row) => ({ ...row, row, absent: missingPrograms(row.needs) ?? 'run' }));

test.concurrent.each(rows)('$id: $tool $version, $language ($absent)', async ({ row, fails = {} }) => {
  const environment = { SPEECH_BASE_URL: sandbox.url, SPEECH_API_KEY: key };
  const outcome = await runTool(row, emptyProject, environment);
  outcomes.set(row, outcome);
  // What a tool makes of 3.2 is written down, but not expected.
  const ran = Object.entries(outcome).filter(([step, { notRun }]) => step !== 'openapi32' && !notRun);
  const failed = ran.filter(([, { fails }]) => fails !== undefined);
  expect(
    failed.map(([step]) => step),
    JSON.stringify(failed, undefined, 2),
  ).toEqual(ran.map(([step]) => step).filter((step) => step in fails));
});
