import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { check } from './check.ts';

const folder = new URL('../../../../spec/transcripts/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

it('has transcripts to read', () => {
  expect(names.length).toBeGreaterThan(4);
});

it.each(names)('finds in %s what the transcript says that it breaks, and nothing else', async (name) => {
  const file = fileURLToPath(new URL(name, folder));
  const [opening = ''] = readFileSync(file, 'utf8').split('\n', 1);
  const { breaks } = JSON.parse(opening) as { breaks: string[] };
  const report = await check([file]);
  expect([...new Set(report.findings.map(({ rule }) => rule))].sort()).toEqual(breaks.sort());
});
