import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { operationTable } from '@speech-api/types';
import { expect, test } from 'vitest';
import { compile, findSamples, placeSamples, recipes } from './runner.ts';

const samples = findSamples('typescript.ts');

test('each operation has a sample in TypeScript, and with a body one in each language', () => {
  const found = findSamples('*').map(({ name }) => name);
  const missing = Object.entries(operationTable)
    .filter(([operationId]) => operationId !== 'openLiveSession')
    .flatMap(([operationId, { requestMediaTypes }]) =>
      ['typescript.ts', ...(requestMediaTypes.length > 0 ? ['curl.sh', 'python.py'] : [])].map(
        (file) => `${operationId}/${file}`,
      ),
    )
    .filter((sample) => !found.includes(sample));
  expect(missing, 'Write these files in spec/samples; the others there are examples').toEqual([]);
});

test('no sample and no recipe holds a key', () => {
  const files = [...findSamples('*').map(({ path }) => path), ...globSync(`${recipes}*.ts`)];
  expect(files.filter((file) => /sandbox-key|\bsk-\w/.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('every sample in TypeScript compiles', async () => {
  const folder = placeSamples(samples);
  const lib = ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'];
  const settings = { extends: '../../tsconfig.json', compilerOptions: { lib }, include: ['*/*.ts'] };
  writeFileSync(`${folder}tsconfig.json`, JSON.stringify(settings));
  expect(await compile(folder)).toBe('');
});
