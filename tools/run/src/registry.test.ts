import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installedProgram } from '../program.mjs';
import { type AllPacked, packAll } from './packed.ts';
import { type Registry, serveArchives } from './registry.ts';
import { closeServer, listenOnLoopback } from './servers.ts';

const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'registry-'));

let packed: AllPacked;
let registry: Registry;
beforeAll(async () => {
  packed = await packAll({ names: ['audio', 'types'] });
  registry = await serveArchives(packed.packages);
});
afterAll(async () => {
  await registry?.close();
  packed?.remove();
  rmSync(folder, { recursive: true });
});

test('npm installs a package with its dependencies, and asks its other registry for nothing of ours', async () => {
  const asked: string[] = [];
  const other = createServer(({ url = '' }, response) => {
    asked.push(decodeURIComponent(url));
    response.writeHead(404).end('{}');
  });
  const otherUrl = `http://127.0.0.1:${await listenOnLoopback(other, 0)}`;
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    writeFileSync(join(folder, '.npmrc'), `@speech-api:registry=${registry.url}\nregistry=${otherUrl}\n`);
    const options = [
      '--no-fund',
      '--no-audit',
      '--omit-lockfile-registry-resolved=false',
      '--cache',
      'cache',
    ];
    const install = ['install', '@speech-api/audio', ...options];
    const [npm, words, shell] = installedProgram('npm', install);
    await execute(npm, words, { cwd: folder, ...shell });
  } finally {
    await closeServer(other);
  }
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const from = Object.values<{ resolved?: string; integrity?: string }>(packages).filter(
    (one) => one.resolved,
  );
  expect(from).toHaveLength(2);
  for (const { resolved, integrity } of from) {
    expect(resolved).toMatch(
      new RegExp(`^${registry.url}/@speech-api/(audio|types)/-/(audio|types)-[\\d.]+\\.tgz$`),
    );
    expect(integrity).toMatch(/^sha512-/);
  }
  expect(asked.filter((path) => path.includes('@speech-api'))).toEqual([]);
});

test('answers 404 for a package that it does not have', async () => {
  for (const name of ['openapi-fetch', '@speech-api%2fconfig', '@speech-api/client'])
    expect((await fetch(`${registry.url}/${name}`)).status, name).toBe(404);
});

test('names the option for another port when its own is in use', async () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const port = new URL(registry.url).port;
  const refused = await execute(process.execPath, [main, 'registry', '--port', port]).catch((error) => error);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${port} is in use`) });
  expect(refused.stderr).toContain('--port');
});
