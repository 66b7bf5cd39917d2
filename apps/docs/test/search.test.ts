import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ranking } from '../src/search/ranking.ts';
import { isServed } from './testing/built-site.ts';

interface Question {
  readonly typed: string;
  readonly answers: readonly string[];
}

interface Pagefind {
  options(given: object): Promise<void>;
  search(words: string): Promise<{ results: { data(): Promise<{ url: string }> }[] }>;
}

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const questions: Question[] = JSON.parse(readFileSync(new URL('questions.json', import.meta.url), 'utf8'));

// The index is what the browser loads; only `fetch` needs an address instead of a file.
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://site.invalid').pathname;
  if (!isServed(path)) {
    response.writeHead(404).end();
    return;
  }
  const type = extname(path) === '.json' ? 'application/json' : 'application/octet-stream';
  response.writeHead(200, { 'content-type': type }).end(readFileSync(dist + path.slice(1)));
});
let pagefind: Pagefind;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const module: unknown = await import(`${dist}search/pagefind.js`);
  pagefind = module as Pagefind;
  await pagefind.options({ basePath: `http://127.0.0.1:${port}/pagefind/`, baseUrl: '/', ranking });
});
afterAll(() => void server.close());

test('answers nine in ten questions within the first three results', async () => {
  const missed: string[] = [];
  for (const { typed, answers } of questions) {
    const { results } = await pagefind.search(typed);
    const pages = await Promise.all(results.slice(0, 3).map((result) => result.data()));
    const paths = pages.map(({ url }) => new URL(url, 'http://site.invalid').pathname);
    if (!paths.some((path) => answers.includes(path))) missed.push(`${typed}: ${paths.join(' ')}`);
  }
  console.info(`search: missed ${missed.length} of ${questions.length}\n${missed.join('\n')}`);
  expect(missed.length).toBeLessThanOrEqual(questions.length / 10);
});
