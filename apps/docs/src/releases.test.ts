import { expect, test } from 'vitest';
import { releasesIn } from './releases.ts';

test('the versions of a changelog are those that pnpm has written, with a day where the heading has one', () => {
  const changelog =
    '# Changes\n\n## Unreleased\n\n- c\n\n## 0.2.0\n\n### Patch Changes\n\n- b\n\n## 0.1.0 (2026-11-22)\n\n- a\n';
  expect(releasesIn('@speech-api/client', changelog)).toEqual([
    {
      package: '@speech-api/client',
      version: '0.2.0',
      date: undefined,
      anchor: 'client-0.2.0',
      text: '### Patch Changes\n\n- b',
    },
    {
      package: '@speech-api/client',
      version: '0.1.0',
      date: '2026-11-22',
      anchor: 'client-0.1.0',
      text: '- a',
    },
  ]);
});
