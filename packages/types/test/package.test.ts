import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as types from '../src/index.ts';

const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));

function* valuesWithin(value: unknown): Generator<unknown> {
  yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const entry of Object.values(value)) yield* valuesWithin(entry);
}

test('holds data only: every export survives a trip through JSON', () => {
  expect(Object.keys(types)).not.toEqual([]);
  for (const [name, value] of Object.entries(types)) {
    for (const part of valuesWithin(value)) expect(typeof part, name).not.toBe('function');
    expect(JSON.parse(JSON.stringify(value)), name).toEqual(value);
  }
});

test('needs no other package and has no side effects', () => {
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.peerDependencies).toBeUndefined();
  expect(manifest.sideEffects).toBe(false);
});

test('can be loaded in parts, which together are the whole', async () => {
  // The checks of requests are functions, for the client and the servers alone.
  const others = ['.', './package.json', './request-rules'];
  const parts = Object.keys(manifest.exports).filter((path) => !others.includes(path));
  expect(parts).not.toEqual([]);
  const loaded = await Promise.all(parts.map((part) => import(`@speech-api/types/${part.slice(2)}`)));
  expect(Object.assign({}, ...loaded)).toEqual({ ...types });
});

test('gives every format its rates, its default among them, and its media type', () => {
  for (const format of types.audioFormats) {
    expect(types.sampleRates[format]).toContain(types.defaultSampleRates[format]);
    expect(types.audioMediaTypes[format]).toMatch(/^audio\//);
  }
});
