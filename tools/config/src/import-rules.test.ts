import { expect, test } from 'vitest';
import { findViolations, published } from './import-rules.ts';

const workspace = 'workspace:*';

test('import rules let the client import the packages below it', () => {
  const dependencies = {
    '@speech-api/types': workspace,
    '@speech-api/streaming': workspace,
    'openapi-fetch': '1',
  };
  expect(findViolations([{ name: '@speech-api/client', dependencies }])).toEqual([]);
});

test.each([
  ['server', 'dependencies', 'msgpack'],
  ['sandbox', 'dependencies', 'client'],
  ['sandbox', 'dependencies', 'engine-espeak'],
  ['client', 'devDependencies', 'sandbox'],
  ['server', 'peerDependencies', 'client'],
  ['cli', 'dependencies', 'client'],
  ['stranger', 'dependencies', 'types'],
])('import rules refuse %s whose %s name %s', (name, kind, other) => {
  const manifest = { name: `@speech-api/${name}`, [kind]: { [`@speech-api/${other}`]: workspace } };
  expect(findViolations([manifest])).toEqual([expect.stringContaining(`@speech-api/${name}`)]);
});

test('nothing published depends on something private', () => {
  const needed = Object.values(published).flatMap((names) => names.split(' ').filter(Boolean));
  expect(needed.filter((name) => published[name] === undefined)).toEqual([]);
});
