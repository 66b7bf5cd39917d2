import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import type { Json } from '../read.ts';
import { annotateOperations, nameAddress, nameVersion, titleSchemas } from './annotate.ts';
import { bundle } from './bundle.ts';
import { readData } from './data.ts';
import { downLevel, downLevelLive } from './down-level.ts';

// Builds everything that others import from this package into dist/.

const output = new URL('../dist/', import.meta.url);

const [bundled, asyncapi, data] = await Promise.all([
  bundle('openapi.yaml'),
  bundle('live/asyncapi.yaml'),
  readData(),
]);
// Before anything is written: what cannot be built must not replace what was.
const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
const described = nameAddress(nameVersion(titleSchemas(bundled), version));
const openapi = await annotateOperations(described, data['rules.json']);
const openapi31 = downLevel(openapi);
const live = nameVersion(titleSchemas(downLevelLive(asyncapi)), version);

await rm(output, { recursive: true, force: true });
await mkdir(output, { recursive: true });
await cp(new URL('../examples/audio/', import.meta.url), new URL('audio/', output), { recursive: true });
await Promise.all([
  write('openapi.json', json(openapi)),
  write('openapi.yaml', yaml(openapi)),
  write('openapi-3.1.json', json(openapi31)),
  write('openapi-3.1.yaml', yaml(openapi31)),
  write('asyncapi.json', json(live)),
  ...Object.entries(data).map(([file, value]) => write(file, json(value))),
]);

function write(file: string, text: string): Promise<void> {
  return writeFile(new URL(file, output), text);
}

function json(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function yaml(value: Json): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
