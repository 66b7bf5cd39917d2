import { synthesisRules } from '@speech-api/types';
import { expect, test } from 'vitest';
import { clientRules, serviceRules } from './specification/rules.ts';
import { runCommand } from './testing/serve.ts';

const run = (...words: string[]) => runCommand(['explain', ...words]);

test('shows the sentence, an answer that keeps the rule, one that breaks it, and what is expected', async () => {
  const { code, out } = await run('list-page-size');
  expect(code).toBe(0);
  expect(out).toMatch(/keeps it\n {2}GET \/model\S*\n {2}200 application\/json/);
  expect(out).toMatch(/breaks it\n {2}GET/);
  const stated = await run('audio-sample-rate');
  expect(stated.out).toContain('The interface: "When null, the format default applies');
  expect(stated.out).toMatch(/How to fix it\n.*Expected in the example: \d+ Hz/);
});

test('says of every rule what it rests on, and shows both answers of every rule of a server', async () => {
  const ids = [...serviceRules().keys()];
  const { out } = await run(...ids, ...clientRules().keys());
  expect(out.match(/^What it rests on\n {2}\S/gm)).toHaveLength(ids.length + clientRules().size);
  expect(out.match(/^(An answer that keeps|Answers that keep) it\n {2}\S/gm)).toHaveLength(ids.length);
  expect(out.match(/^(An answer that breaks|Answers that break) it\n {2}\S/gm)).toHaveLength(ids.length);
});

test('explains each rule between fields that a finding of request-rules names, and no other', async () => {
  const idsOf = (effect: string) =>
    synthesisRules.filter((rule) => rule.effect === effect).map(({ id }) => id);
  const { code, out } = await run(...idsOf('refuse'));
  expect(code).toBe(0);
  expect(out).toContain('sample-rate-of-mp3: error, section 2.3 of the interface');
  expect(out).toContain('use 32000, 44100');
  expect(out).not.toMatch(/[{}]/);
  expect(out.match(/^What it rests on\n {2}\S/gm)).toHaveLength(idsOf('refuse').length);
  for (const id of idsOf('ignore')) expect((await run(id)).error).toContain(`Unknown rule "${id}"`);
});

test('names the rules that may have been meant', async () => {
  const { code, error } = await run('audio-rate');
  expect(code).toBe(2);
  expect(error).toMatch(
    /^Unknown rule "audio-rate"\. Similar rules: .*audio-sample-rate.*\. RULES\.md lists all\.$/m,
  );
});
