import { expect, test } from 'vitest';
import { findUnnamed } from './require-change-files.ts';

const packages = [
  { name: '@speech-api/client', folder: 'packages/client' },
  { name: '@speech-api/sandbox', folder: 'apps/sandbox' },
  { name: '@speech-api/engine-espeak', folder: 'apps/sandbox/engines/espeak' },
];

test('names each published package that changed without a change file', () => {
  const changed = [
    'packages/client/src/call.ts',
    'apps/sandbox/engines/espeak/src/main.ts',
    'tools/run/src/main.ts',
  ];
  expect(findUnnamed(changed, packages, [])).toEqual(['@speech-api/client', '@speech-api/engine-espeak']);
  const changeFile = '---\n"@speech-api/client": minor\n---\n\nWorks with @speech-api/engine-espeak.\n';
  expect(findUnnamed(changed, packages, [changeFile])).toEqual(['@speech-api/engine-espeak']);
});

test('asks nothing for tests and for what the release writes', () => {
  const changed = [
    'src/call.test.ts',
    'test/hostile/cut.ts',
    'src/testing/server.ts',
    'CHANGELOG.md',
    'vitest.config.ts',
  ];
  expect(
    findUnnamed(
      changed.map((file) => `packages/client/${file}`),
      packages,
      [],
    ),
  ).toEqual([]);
});
