import { expect, test } from 'vitest';
import { applyEdit, breakingEdits, compatibleEdits } from '../test/edits.ts';
import { addToChangelog, draft, parseChangelog } from './changelog.ts';
import { compare } from './compare.ts';
import { readBuilt } from './snapshot.ts';
import { judge, nextVersion, report } from './verdict.ts';

// Each edit is made in a copy of what is built, and judged as the change of a release would be.

const built = readBuilt();
const nothing = parseChangelog('');

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

test('lists a number or a unit that changed inside words, for a person to confirm', async () => {
  const openapi = JSON.stringify(built.openapi);
  const from = 'Speech to speak at most 30 seconds';
  const texts = [from, 'Speech to speak at most 20 seconds', 'Speech to speak at most 30 minutes'];
  const [base, number, unit] = texts.map((description) => ({
    ...built,
    openapi: { ...JSON.parse(openapi), info: { ...JSON.parse(openapi).info, description } },
  }));
  if (!base || !number || !unit) throw new Error('unreachable');
  for (const [revision, figures] of [
    [number, '20 seconds instead of 30 seconds'],
    [unit, '30 minutes instead of 30 seconds'],
  ] as const) {
    const findings = await compare(base, revision);
    expect(findings).toEqual([expect.objectContaining({ impact: 'patch', figures })]);
    const verdict = judge('1.0.0', '1.0.1', findings, parseChangelog('## 1.0.1\n\n- Everyone: read it.\n'));
    expect(report(verdict)).toContain(`Numbers and units inside words, for you to confirm (1)`);
    expect(report(verdict)).toContain(figures);
  }
});
