import { expect, test } from 'vitest';
import { clientRules, serviceRules } from './specification/rules.ts';
import { runCommand } from './testing/serve.ts';

const run = (...words: string[]) => runCommand(['explain', ...words]);

test('shows the sentence, an answer that keeps the rule, one that breaks it, and what is expected', async () => {
  const { code, out } = await run('list-page-size');
  expect(code).toBe(0);
  expect(out).toMatch(/What keeps it\n {2}GET \/model\S*\n {2}200 application\/json/);
  expect(out).toMatch(/What breaks it\n {2}GET/);
  const stated = await run('audio-sample-rate');
  expect(stated.out).toContain('The interface: "When null, the format default applies');
  expect(stated.out).toMatch(/How to fix it\n.*Expected in the example: \d+ Hz/);
});

test('states the basis of every rule, and shows both answers of every rule of a server', async () => {
  const ids = [...serviceRules().keys()];
  const { out } = await run(...ids, ...clientRules().keys());
  expect(out.match(/^What it rests on\n {2}\S/gm)).toHaveLength(ids.length + clientRules().size);
  expect(out.match(/^What keeps it\n {2}\S/gm)).toHaveLength(ids.length);
  expect(out.match(/^What breaks it\n {2}\S/gm)).toHaveLength(ids.length);
});

test('refuses a rule that there is not', async () => {
  expect(await run('audio-rate')).toMatchObject({
    code: 2,
    error: expect.stringContaining('Unknown rule "audio-rate". RULES.md lists all.'),
  });
});
