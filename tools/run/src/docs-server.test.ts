import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type DocsServer, serveDocs } from './docs-server.ts';

let directory: string;
let docs: DocsServer;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'site-'));
  writeFileSync(join(directory, 'index.html'), '<h1>Start</h1>');
  writeFileSync(join(directory, '404.html'), '<h1>No such page</h1>');
  docs = await serveDocs({ directory, port: 0, sandboxUrl: () => 'http://127.0.0.1:4017' });
});
afterEach(async () => {
  await docs.close();
  rmSync(directory, { recursive: true });
});

it('serves the site, and its own page for what is not there', async () => {
  expect(await (await fetch(docs.url)).text()).toContain('Start');
  const missing = await fetch(`${docs.url}/nowhere/`);
  expect(missing.status).toBe(404);
  expect(await missing.text()).toContain('No such page');
});

it('serves nothing from outside the folder of the site', async () => {
  const answer = await fetch(`${docs.url}/..%2f..%2fetc/passwd`);
  expect(answer.status).toBe(404);
});

it('tells the page where its sandbox listens, and lets nobody keep the answer', async () => {
  const answer = await fetch(`${docs.url}/sandbox.json`);
  expect(await answer.json()).toEqual({ baseUrl: 'http://127.0.0.1:4017' });
  expect(answer.headers.get('cache-control')).toBe('no-store');
});
