import { expect, test } from 'vitest';
import { addToChangelog, checkEntry, draft, parseChangelog } from './changelog.ts';
import type { Finding } from './verdict.ts';

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
  expect(problemsOf('Everyone: nothing to do.')).toEqual([expect.stringContaining('`getModel`')]);
  // A name that only contains the one that is looked for does not count.
  expect(problemsOf('Everyone: call `getModels`.')).toEqual([expect.stringContaining('`getModel`')]);
  expect(checkEntry('2.0.0', undefined, [finding])).toHaveLength(1);
});

test('neither a draft nor "minor updates" is an entry', () => {
  expect(problemsOf('Clients that read responses: (say what to do). `getModel`: gone.')).toEqual([
    expect.stringContaining('still a draft'),
  ]);
  expect(problemsOf('Minor updates of getModel')).toEqual([expect.stringContaining('does not say who')]);
});

test('lines join the entry of their version, or begin it above the others', () => {
  const text = '# Changes\n\n## 1.0.0\n\n- Everyone: begin.\n  On two lines.\n';
  const once = addToChangelog(text, '1.1.0', ['Everyone: go on.']);
  const twice = addToChangelog(once, '1.1.0', ['Everyone: and on.']);
  expect(twice).toBe(
    '# Changes\n\n## 1.1.0\n\n- Everyone: go on.\n- Everyone: and on.\n\n## 1.0.0\n\n- Everyone: begin.\n  On two lines.\n',
  );
  expect([...parseChangelog(twice)]).toEqual([
    ['1.1.0', ['Everyone: go on.', 'Everyone: and on.']],
    ['1.0.0', ['Everyone: begin. On two lines.']],
  ]);
});

test('other words have one line, however many subjects it counts and however often it is drafted', () => {
  const worded = (count: number) =>
    Array.from(
      { length: count },
      (_, index): Finding => ({ ...finding, impact: 'patch', subject: `field_${index}` }),
    );
  const draftInto = (text: string, findings: readonly Finding[]) => {
    const lines = draft(findings, parseChangelog(text).get('1.0.1'));
    return lines.length === 0 ? text : addToChangelog(text, '1.0.1', lines);
  };
  const once = draftInto('# Changes\n', worded(10));
  expect(once).toContain('`field_7` and 2 more.');
  expect(draftInto(once, worded(10))).toBe(once);
  const broken = once.replace('other words', 'other\n  words');
  expect(draftInto(broken, worded(10))).toBe(broken);
  for (const before of [once, broken])
    expect(draftInto(before, worded(11))).toBe(once.replace('2 more', '3 more'));
});
