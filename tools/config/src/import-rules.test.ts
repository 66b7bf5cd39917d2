import { describe, expect, test } from 'vitest';
import { findViolations, importRules } from './import-rules.ts';

const workspace = 'workspace:*';

describe('import rules', () => {
  test('let the client import the packages below it', () => {
    const client = {
      name: '@speech-api/client',
      dependencies: {
        '@speech-api/types': workspace,
        '@speech-api/streaming': workspace,
        'openapi-fetch': '1',
      },
    };
    expect(findViolations([client], importRules)).toEqual([]);
  });

  test.each([
    ['@speech-api/server', '@speech-api/msgpack'],
    ['@speech-api/sandbox', '@speech-api/client'],
    ['@speech-api/types', '@speech-api/client'],
    ['@speech-api/sandbox', '@speech-api/engine-espeak'],
  ])('refuse %s importing %s', (name, dependency) => {
    expect(findViolations([{ name, dependencies: { [dependency]: workspace } }], importRules)).toEqual([
      `${name} may not import ${dependency}.`,
    ]);
  });

  test('refuse a package whose tests use the server of another, and one that hides an edge among its peers', () => {
    const inTests = { name: '@speech-api/client', devDependencies: { '@speech-api/sandbox': workspace } };
    const asPeer = { name: '@speech-api/server', peerDependencies: { '@speech-api/client': workspace } };
    expect(findViolations([inTests, asPeer], importRules)).toHaveLength(2);
  });

  test('refuse a workspace nobody drew', () => {
    expect(findViolations([{ name: '@speech-api/stranger' }], importRules)[0]).toContain('no import rule');
  });
});

test('have no cycle, and let nothing published depend on something private', () => {
  for (const [name, rule] of Object.entries(importRules)) {
    const seen = new Set<string>();
    const pending = [...rule.dependencies];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      expect(next, `${name} reaches itself`).not.toBe(name);
      if (rule.published) expect(importRules[next]?.published, `${name} -> ${next}`).toBe(true);
      if (seen.has(next)) continue;
      seen.add(next);
      pending.push(...(importRules[next]?.dependencies ?? []));
    }
  }
});
