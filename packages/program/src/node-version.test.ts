import { expect, test } from 'vitest';
import { checkNode } from './node-version.ts';

test.each(['20.19.0', '22.12.0', '26.0.0'])('Node %s is new enough', (version) => {
  expect(() => checkNode(import.meta.url, version)).not.toThrow();
});

test.each(['18.20.0', '20.9.0', '20.18.9'])('names the needed version and %s', (version) => {
  const message = `@speech-api/program needs Node 20.19.0 or newer; this is Node ${version}. "npm install node@latest" adds`;
  expect(() => checkNode(import.meta.url, version)).toThrow(message);
});
