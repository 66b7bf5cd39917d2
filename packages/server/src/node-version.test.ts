import { expect, test } from 'vitest';
import { checkNode } from './node-version.ts';

test.each(['24.18.0', '24.21.3', '26.0.0'])('Node %s is new enough', (version) => {
  expect(() => checkNode(import.meta.url, version)).not.toThrow();
});

test.each(['20.19.0', '24.9.0', '24.17.9'])('names the needed version and %s', (version) => {
  const message = `@speech-api/server needs Node 24.18.0 or newer; this is Node ${version}. "npm install node@24" adds`;
  expect(() => checkNode(import.meta.url, version)).toThrow(message);
});
