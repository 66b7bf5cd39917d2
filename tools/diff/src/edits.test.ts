import { expect, test } from 'vitest';
import { addToChangelog, draft, parseChangelog } from './changelog.ts';
import { compare } from './compare.ts';
import { readBuilt } from './snapshot.ts';
import { breakingEdits } from './testing/breaking-edits.ts';
import { compatibleEdits } from './testing/compatible-edits.ts';
import { applyEdit } from './testing/edit.ts';
import { judge, nextVersion } from './verdict.ts';

// Each edit is made in a copy of what is built, and judged as the change of a release would be.

const built = readBuilt();
const nothing = parseChangelog('');

test('there are at least twenty breaking and ten compatible edits', () => {
  expect(breakingEdits.length).toBeGreaterThanOrEqual(20);
  expect(compatibleEdits.length).toBeGreaterThanOrEqual(10);
});

test.each(breakingEdits)('catches $name', async (edit) => {
  const findings = await compare(built, applyEdit(built, edit));
  const { rule, subject, impact } = edit;
  expect(findings).toContainEqual(expect.objectContaining({ rule, subject, impact }));

  const [minor, major] = [nextVersion(built.version, 'minor'), nextVersion(built.version, 'major')];
  expect(judge(built.version, built.version, findings, nothing).ships).toBe(false);
  expect(
    judge(built.version, minor, findings, parseChangelog(`## ${minor}\n\n- Everyone: rejoice.\n`)).ships,
  ).toBe(false);
  // The right version alone is not enough, the drafted entry is, once a person has written what to do.
  expect(judge(built.version, major, findings, nothing).ships).toBe(false);
  const lines = draft(findings).map((line) => line.replace('(say what to do)', 'do as the message says'));
  expect(
    judge(built.version, major, findings, parseChangelog(addToChangelog('', major, lines))),
  ).toMatchObject({
    ships: true,
    problems: [],
  });
});

test.each(compatibleEdits)('lets $name pass', async (edit) => {
  const findings = await compare(built, applyEdit(built, edit));
  const { rule, subject, impact } = edit;
  expect(findings).toContainEqual(expect.objectContaining({ rule, subject, impact }));
  expect(findings.filter((finding) => finding.impact === 'major')).toEqual([]);

  const version = nextVersion(built.version, impact);
  const changelog = parseChangelog(addToChangelog('', version, draft(findings)));
  expect(judge(built.version, version, findings, changelog)).toMatchObject({ ships: true, problems: [] });
});

test('finds nothing where nothing changed', async () => {
  expect(await compare(built, structuredClone(built))).toEqual([]);
});
