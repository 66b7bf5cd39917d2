import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
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

  test('serves nothing from outside the folder of the site', async () => {
    const answer = await fetch(`${docs.url}/..%2f..%2fetc/passwd`);
    expect(answer.status).toBe(404);
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

describe('a free port', () => {
  const open: Server[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  function listen(port: number): Promise<Server> {
    return new Promise((resolve, reject) => {
      const server = createServer();
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        open.push(server);
        resolve(server);
      });
    });
  }

  function portOf(server: Server): number {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  }

  test('moves up to the next port while ports are in use', async () => {
    const taken = portOf(await listen(0));
    expect(portOf(await onFreePort(taken, listen))).toBeGreaterThan(taken);
  });

  test('sees a taken port behind a wrapped error', async () => {
    const asked: number[] = [];
    await onFreePort(4000, async (port) => {
      asked.push(port);
      if (port < 4002)
        throw new Error('no', { cause: Object.assign(new Error('x'), { code: 'EADDRINUSE' }) });
    });
    expect(asked).toEqual([4000, 4001, 4002]);
  });

  test('gives up with the last error if all ports in the range are in use, and at once on any other error', async () => {
    const refused = Object.assign(new Error('taken'), { code: 'EADDRINUSE' });
    await expect(onFreePort(4000, () => Promise.reject(refused), 3)).rejects.toBe(refused);
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
    let calls = 0;
    await expect(
      onFreePort(80, () => {
        calls++;
        return Promise.reject(denied);
      }),
    ).rejects.toBe(denied);
    expect(calls).toBe(1);
  });
});
