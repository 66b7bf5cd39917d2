import { expect, test } from 'vitest';
import { applyEdit, breakingEdits, compatibleEdits } from '../test/edits.ts';
import { addToChangelog, draft, parseChangelog } from './changelog.ts';
import { compare } from './compare.ts';
import { readBuilt } from './snapshot.ts';
import { judge, nextVersion } from './verdict.ts';

// Each edit is made in a copy of the built specification and judged as a release.

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
  // The correct version alone is not enough; the drafted entry is, once a person has completed it.
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

test('a new field has one line in a draft, although it is in both documents', async () => {
  const pointer = '/components/schemas/SynthesisSettings/properties/seed';
  const edit = { pointer, value: { type: 'integer' }, do: 'set', name: '', rule: '', subject: '' } as const;
  const http = applyEdit(built, { ...edit, part: 'openapi', impact: 'minor' });
  const findings = await compare(built, applyEdit(http, { ...edit, part: 'asyncapi', impact: 'minor' }));
  expect(draft(findings)).toEqual([
    'Clients that send requests: you may use it, nothing has to be done. `seed` is new.',
  ]);
});
