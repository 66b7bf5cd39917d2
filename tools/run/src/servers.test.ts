import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DocsServer, onFreePort, serveDocs } from './servers.ts';

describe('the site', () => {
  let directory: string;
  let docs: DocsServer;
  let relayUrl: string | undefined;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'site-'));
    writeFileSync(join(directory, 'index.html'), '<h1>Start</h1>');
    writeFileSync(join(directory, '404.html'), '<h1>No such page</h1>');
    relayUrl = undefined;
    docs = await serveDocs({
      directory,
      port: 0,
      sandboxUrl: () => 'http://127.0.0.1:4017',
      relayUrl: () => relayUrl,
    });
  });
  afterEach(async () => {
    await docs.close();
    rmSync(directory, { recursive: true });
  });

  test('serves the site, and its own page for what is not there', async () => {
    expect(await (await fetch(docs.url)).text()).toContain('Start');
    const missing = await fetch(`${docs.url}/nowhere/`);
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain('No such page');
  });

  test('tells the page where its sandbox and its relay listen, and lets nobody keep the answer', async () => {
    const ask = () => fetch(`${docs.url}/sandbox.json`);
    expect(await (await ask()).json()).toEqual({ baseUrl: 'http://127.0.0.1:4017' });
    relayUrl = 'ws://127.0.0.1:4037';
    const answer = await ask();
    expect(await answer.json()).toEqual({ baseUrl: 'http://127.0.0.1:4017', relayUrl });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

const taken = Object.assign(new Error('taken'), { code: 'EADDRINUSE' });

test('ports are tried upwards while they are in use, also where the reason is wrapped', async () => {
  const asked: number[] = [];
  const port = await onFreePort(4000, async (port) => {
    asked.push(port);
    if (port < 4002) throw new Error('no', { cause: taken });
    return port;
  });
  expect([asked, port]).toEqual([[4000, 4001, 4002], 4002]);
});

test.each([
  [taken, 3],
  [Object.assign(new Error('denied'), { code: 'EACCES' }), 1],
])('the search for a port gives up with "%s" after %d attempts', async (refusal, attempts) => {
  let calls = 0;
  const listen = () => {
    calls += 1;
    return Promise.reject(refusal);
  };
  await expect(onFreePort(4000, listen, 3)).rejects.toBe(refusal);
  expect(calls).toBe(attempts);
});
