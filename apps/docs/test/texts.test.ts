import { operationTable } from '@speech-api/types';
import { describe, expect, test } from 'vitest';
import { slugOf } from '../src/reference/operations.ts';
import { textPath } from '../src/texts/page-text.ts';
import { isServed, readFile, readPages } from './testing/built-site.ts';

const pages = readPages();
const searched = pages.filter(({ html }) => html.includes('data-pagefind-body'));

describe('the texts of the site', () => {
  test('has every page as Markdown beside it, and links to it', () => {
    expect(searched.length).toBeGreaterThan(15);
    expect(searched.filter(({ path }) => !isServed(textPath(path)))).toEqual([]);
    for (const { path } of searched) expect(readFile(textPath(path)).startsWith('# ')).toBe(true);
  });

  test('has no debris of what is only to be seen or pressed', () => {
    const debris = searched.flatMap(({ path }) =>
      [...readFile(textPath(path)).matchAll(/\[\]\(.*?\)|Response \d+Errors|Server, key and headers/g)].map(
        ([found]) => `${path} ${found}`,
      ),
    );
    expect(debris).toEqual([]);
  });

  test('lists in llms.txt what exists, every operation included', () => {
    const text = readFile('/llms.txt');
    const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !isServed(link))).toEqual([]);
    for (const operationId of Object.keys(operationTable)) {
      expect(links).toContain(`/reference/${slugOf(operationId)}.md`);
    }
  });

  test('has the whole interface in llms-full.txt: each path, each field of a request', () => {
    const text = readFile('/llms-full.txt');
    for (const { path } of Object.values(operationTable)) expect(text.includes(path)).toBe(true);
    for (const field of [
      'repetition_penalty',
      'ignore_timestamps',
      'enhance_audio_quality',
      'chunk_audio_offset_sec',
    ])
      expect(text.includes(`\`${field}\``)).toBe(true);
    expect(text.includes('class="')).toBe(false);
  });

  test('serves the documents of the specification as they are built', () => {
    for (const file of [
      'openapi.yaml',
      'openapi.json',
      'openapi-3.1.yaml',
      'openapi-3.1.json',
      'asyncapi.yaml',
      'asyncapi.json',
    ])
      expect([file, isServed(`/${file}`)]).toEqual([file, true]);
    expect(readFile('/openapi.yaml').startsWith('openapi: 3.2')).toBe(true);
    expect(readFile('/asyncapi.yaml').startsWith('asyncapi: 3')).toBe(true);
    expect(JSON.parse(readFile('/openapi-3.1.json')).openapi).toMatch(/^3\.1/);
  });
});
