import { type AllPacked, packAll } from '@speech-api/run/packed';
import { type Registry, serveArchives } from '@speech-api/run/registry';
import { type RunningSandbox, startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll, test } from 'vitest';
import { consumersOf } from './consumer.ts';
import { consumers } from './consumers.ts';

// The packages as they are published, installed by npm outside of this repository. Third-party packages come from the
// registry. Each consumer is also part of a job of .github/workflows/consumers.yml.

let sandbox: RunningSandbox;
let packed: AllPacked;
let registry: Registry;
let used: ReturnType<typeof consumersOf>;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, logger: () => {} });
  packed = await packAll();
  registry = await serveArchives(packed.packages);
  used = consumersOf({ packages: packed.packages, url: sandbox.url }, registry.url);
});

afterAll(async () => {
  await used?.close();
  await registry?.close();
  packed?.remove();
  await sandbox?.close();
});

const ids = consumers.map(({ id }) => id);
const names = process.env.CONSUMERS?.split(',') ?? ids;
const unknown = names.find((id) => !ids.includes(id));
if (unknown !== undefined)
  throw new Error(`CONSUMERS names "${unknown}"; use one or more of ${ids.join(', ')}`);

test.concurrent.each(consumers.filter(({ id }) => names.includes(id)))('$id: $promise', (consumer) =>
  used.use(consumer),
);
