import { operationTable } from '@speech-api/types';
import { expect, test } from 'vitest';
import { slugOf } from '../src/reference/operations.ts';
import { textPath } from '../src/texts/text-path.ts';
import { isServed, readFile, readPages } from './testing/built-site.ts';

test('every page is Markdown, too, with links to the Markdown of others', () => {
  const searched = readPages().filter(({ html }) => html.includes('data-pagefind-body'));
  expect(searched.length).toBeGreaterThan(15);
  for (const { path } of searched) {
    const text = readFile(textPath(path));
    expect(text.startsWith('# ')).toBe(true);
    expect(text).not.toMatch(/\[\]\(|class="/);
  }
  expect(readFile('/guides/speech.md')).toContain('](/guides/voices.md)');
});

test('llms.txt lists what exists, every operation included', () => {
  const links = [...readFile('/llms.txt').matchAll(/\]\((\/[^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !isServed(link))).toEqual([]);
  for (const operationId of Object.keys(operationTable))
    expect(links).toContain(`/reference/${slugOf(operationId)}.md`);
});

test('llms-full.txt has the path of each operation, and the fields of requests and events', () => {
  const text = readFile('/llms-full.txt');
  const fields = ['repetition_penalty', 'ignore_timestamps', 'chunk_audio_offset_sec'];
  for (const name of [...Object.values(operationTable).map(({ path }) => path), ...fields])
    expect(text).toContain(name);
});

test('serves the documents of the specification as they are built', () => {
  expect(readFile('/openapi.yaml')).toMatch(/^openapi: 3\.2/);
  expect(readFile('/openapi-3.1.yaml')).toMatch(/^openapi: 3\.1/);
  expect(readFile('/asyncapi.yaml')).toMatch(/^asyncapi: 3/);
  expect(JSON.parse(readFile('/openapi.json')).openapi).toMatch(/^3\.2/);
  expect(JSON.parse(readFile('/openapi-3.1.json')).openapi).toMatch(/^3\.1/);
  expect(JSON.parse(readFile('/asyncapi.json')).asyncapi).toMatch(/^3/);
});
