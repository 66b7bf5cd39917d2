import { stripTypeScriptTypes } from 'node:module';
import type { JsonObject } from '@speech-api/spec/read';
import { expect, test } from 'vitest';
import { generateRules } from './rules.ts';

const generate = (require: JsonObject, message = 'no'): string =>
  generateRules(
    [
      {
        id: 'tested',
        field: '/rate',
        when: [],
        enforced_by: ['client', 'server'],
        message,
        require: [require],
      },
    ],
    {},
  );

test('a generated rule fills in its message, and takes nothing in it for code', async () => {
  const code = generate({ at: '/rate', in: [1, 2, 3] }, "`{field}` {value} is not '\\'; use {allowed}.");
  const written = encodeURIComponent(stripTypeScriptTypes(code));
  const { check } = (await import(`data:text/javascript,${written}`)).serverRules[0];
  expect(check({ rate: 9 })).toBe("`rate` 9 is not '\\'; use 1, 2 or 3.");
  expect(check({ rate: ['a'] })).toBe('`rate` ["a"] is not \'\\\'; use 1, 2 or 3.');
});

test('a condition or a place that nobody has written a function for is an error', () => {
  expect(() => generate({ at: '/text', rhymes_with: '/title' })).toThrow('rhymes_with');
  expect(() => generate({ at: '/text', is: 'absent' })).toThrow('absent');
  expect(() => generate({ at: '/prosody/speed', in: [1] })).toThrow('/prosody/speed');
});
