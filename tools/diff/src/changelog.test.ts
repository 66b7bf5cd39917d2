import { expect, test } from 'vitest';
import { checkEntry, draft } from './changelog.ts';
import type { Finding } from './finding.ts';

const finding: Finding = {
  rule: 'redocly/response-removed',
  impact: 'major',
  place: 'openapi.json#/paths',
  message: '`getModel`: Response `404` was removed.',
  subject: 'getModel',
  audience: 'Clients that read responses',
};

function problemsOf(...lines: string[]): string[] {
  return checkEntry('2.0.0', lines, [finding]).map(({ message }) => message);
}

test('an entry says who has to do what about each breaking change', () => {
  expect(problemsOf('Clients that read responses: do not wait for a 404 of `getModel`.')).toEqual([]);
  // A longer name that contains the subject does not count.
  expect(problemsOf('Everyone: call `getModels`.')).toEqual([expect.stringContaining('`getModel`')]);
  expect(problemsOf('Clients that read responses: (say what to do). `getModel`: gone.')).toEqual([
    expect.stringContaining('still a draft'),
  ]);
  expect(problemsOf('Minor updates of getModel')).toEqual([expect.stringContaining('does not say who')]);
  expect(checkEntry('2.0.0', undefined, [finding])).toHaveLength(1);
});

test('a subject has one line in a draft, for the gravest of its changes', () => {
  const words: Finding = { ...finding, impact: 'patch', message: '`getModel` has another summary.' };
  expect(draft([finding, words])).toEqual([
    'Clients that read responses: (say what to do). `getModel`: Response `404` was removed.',
  ]);
});
