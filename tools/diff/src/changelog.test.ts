import { expect, test } from 'vitest';
import { addToChangelog, checkEntry, parseChangelog } from './changelog.ts';
import type { Finding } from './verdict.ts';

const finding: Finding = {
  rule: 'redocly/response-removed',
  impact: 'major',
  place: 'openapi.json#/paths',
  message: '`getModel`: Response `404` was removed.',
  subject: 'getModel',
  audience: 'Who reads answers',
};

function problemsOf(...lines: string[]): string[] {
  return checkEntry('2.0.0', lines, [finding]).map(({ message }) => message);
}

test('an entry says who has to do what about each breaking change', () => {
  expect(problemsOf('Who reads answers: do not wait for a 404 of `getModel`.')).toEqual([]);
  expect(problemsOf('Everybody: nothing to do.')).toEqual([expect.stringContaining('`getModel`')]);
  // A name that only contains the one that is looked for does not count.
  expect(problemsOf('Everybody: call `getModels`.')).toEqual([expect.stringContaining('`getModel`')]);
  expect(checkEntry('2.0.0', undefined, [finding])).toHaveLength(1);
});

test('neither a draft nor "minor updates" is an entry', () => {
  expect(problemsOf('Who reads answers: (say what to do). `getModel`: gone.')).toEqual([
    expect.stringContaining('still a draft'),
  ]);
  expect(problemsOf('Minor updates of getModel')).toEqual([expect.stringContaining('does not say who')]);
});

test('lines join the entry of their version, or begin it above the others', () => {
  const text = '# Changes\n\n## 1.0.0\n\n- Everybody: begin.\n  On two lines.\n';
  const once = addToChangelog(text, '1.1.0', ['Everybody: go on.']);
  const twice = addToChangelog(once, '1.1.0', ['Everybody: and on.']);
  expect(twice).toBe(
    '# Changes\n\n## 1.1.0\n\n- Everybody: go on.\n- Everybody: and on.\n\n## 1.0.0\n\n- Everybody: begin.\n  On two lines.\n',
  );
  expect([...parseChangelog(twice)]).toEqual([
    ['1.1.0', ['Everybody: go on.', 'Everybody: and on.']],
    ['1.0.0', ['Everybody: begin. On two lines.']],
  ]);
});
