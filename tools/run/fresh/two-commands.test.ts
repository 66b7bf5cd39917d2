import { type ChildProcess, execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clone, start, succeed } from './clone.ts';

/** Sends Ctrl-C; a stopped command leaves no process behind. */
async function interrupt({ child, ended }: { child: ChildProcess; ended: Promise<unknown> }): Promise<void> {
  process.kill(-(child.pid ?? Number.NaN), 'SIGINT');
  await ended;
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  // turbo keeps a small daemon for watching files, which ends by itself.
  expect(lines.filter((line) => line.includes(clone) && !/\bturbo\b/.test(line))).toEqual([]);
}

// This test comes first, as for a newcomer: nothing is installed or built.
test('npm start brings up page and sandbox, and Ctrl-C takes both down', async () => {
  const running = start('npm start -- --no-open');
  const sandbox = await running.find(/Sandbox\s+(http:\S+)/);
  expect((await fetch(sandbox)).status).toBeLessThan(500);
  const playground = await running.find(/Playground\s+(http:\S+)/);
  const relay = await running.find(/Relay\s+(ws:\S+)/);
  expect(await (await fetch(playground)).text()).toContain('<html');
  const addresses: unknown = await (await fetch(new URL('/sandbox.json', playground))).json();
  expect(addresses).toEqual({ baseUrl: sandbox, relayUrl: relay });
  const spoken = await fetch(`${sandbox}/v1/tts`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key', model: 's2-pro', 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Good morning.', format: 'wav' }),
  });
  expect(spoken.status).toBe(200);
  expect((await spoken.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
  await interrupt(running);
  await expect(fetch(sandbox)).rejects.toThrow();
  await expect(fetch(playground)).rejects.toThrow();
}, 900_000);

test('Ctrl-C while npm start still prepares ends it without a word', async () => {
  const running = start('npm start -- --no-open --docs-port 0 --sandbox-port 0 --relay-port 0');
  await running.find(/Sandbox\s+(http:\S+)/);
  await interrupt(running);
  expect((await running.ended).stderr).not.toContain('    at ');
}, 300_000);

test('the program of the start page runs as the page says', async () => {
  const docs = new URL('../../../apps/docs/src/', import.meta.url);
  const page = readFileSync(new URL('content/docs/index.mdx', docs), 'utf8');
  const [command = '', file = ''] = /npm run try ([\w.-]+)/.exec(page) ?? [];
  expect(page).toContain(`Save the TypeScript program at the top of this page as \`${file}\``);
  const hero = readFileSync(new URL('components/Hero.astro', docs), 'utf8');
  const [, example = ''] = /examples\/([\w/-]+)\.node\.ts/.exec(hero) ?? [];
  copyFileSync(new URL(`examples/${example}.node.ts`, docs), join(clone, file));
  const { stdout } = await succeed(command);
  expect(stdout).toContain(readFileSync(new URL(`examples/${example}.output.txt`, docs), 'utf8').trim());
  expect(statSync(join(clone, 'good-morning.mp3')).size).toBeGreaterThan(10_000);
}, 300_000);

test('npm run demo speaks once and leaves sound and captions behind', async () => {
  const { stdout } = await succeed('npm run demo -- "Fresh bread and two cups of tea."');
  for (const name of ['demo.opus', 'demo.wav', 'demo.vtt'])
    expect(statSync(join(clone, 'out', name)).size, name).toBeGreaterThan(50);
  for (const word of ['Fresh', 'bread', 'tea']) expect(stdout).toContain(word);
}, 300_000);

test('a command that finds everything built prints only what it is for', async () => {
  const { stdout } = await succeed('npm run --silent contract -- --version');
  expect(await succeed('npm run --silent contract -- --version')).toEqual({ stdout, stderr: '' });
  // Another HOME, as under sudo or cron, has another store, and an install would remove what is there.
  const elsewhere = await succeed('HOME=$HOME/other npm run --silent contract -- --version');
  expect(elsewhere).toEqual({ stdout, stderr: '' });
}, 300_000);

test('npm run --silent sandbox says nothing on stdout before its URL', async () => {
  const running = start('npm run --silent sandbox -- --port 0');
  const address = await running.find(/^(.*)\n/);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const headers = { authorization: 'Bearer sandbox-key' };
  expect((await fetch(`${address}/wallet/self/api-credit`, { headers })).status).toBe(200);
  await interrupt(running);
}, 300_000);
