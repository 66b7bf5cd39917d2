import { expect, test } from 'vitest';
import { compareVersions, nextVersion } from './verdict.ts';

test('versions are compared by their numbers', () => {
  expect(['0.10.0', '0.9.0', '1.0.0', '0.9.11'].sort(compareVersions)).toEqual([
    '0.9.0',
    '0.9.11',
    '0.10.0',
    '1.0.0',
  ]);
  expect(() => compareVersions('1.0', '1.0.0')).toThrow('"1.0" is not a version');
});

test('what breaks needs a major version below 1.0.0 too', () => {
  expect(nextVersion('0.9.3', 'major')).toBe('1.0.0');
  expect(nextVersion('0.9.3', 'minor')).toBe('0.10.0');
  expect(nextVersion('0.9.3', 'patch')).toBe('0.9.4');
});
