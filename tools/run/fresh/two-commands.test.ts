import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshClone, freshClone } from './fresh-clone.ts';

let clone: FreshClone;
beforeAll(() => {
  clone = freshClone();
});
afterAll(() => clone.remove());

function report(what: string, seconds: number): void {
  process.stdout.write(`${what}: ${seconds.toFixed(1)} s\n`);
}

// First of all, as a newcomer does: nothing is installed and nothing is built.
test('npm start brings up page and sandbox, and Ctrl-C takes both down', async () => {
  const began = performance.now();
  const child = clone.start('npm start -- --no-open');
  reportLines(child, began);
  const early = await textOf(child, /Sandbox\s+(http:\S+)/);
  expect((await fetch(early)).status).toBeLessThan(500);
  const playground = await textOf(child, /Playground\s+(http:\S+)/);
  const sandbox = await textOf(child, /Sandbox\s+(http:\S+)/);
  const relay = await textOf(child, /Relay\s+(ws:\S+)/);
  report('npm start', (performance.now() - began) / 1000);
  expect(await (await fetch(playground)).text()).toContain('<html');
  const told: unknown = await (await fetch(new URL('/sandbox.json', playground))).json();
  expect(told).toEqual({ baseUrl: sandbox, relayUrl: relay });
  const spoken = await fetch(`${sandbox}/v1/tts`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key', model: 's2-pro', 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Good morning.', format: 'wav' }),
  });
  expect(spoken.status).toBe(200);
  expect((await spoken.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
  await interrupt(child);
  await expect(fetch(sandbox)).rejects.toThrow();
  await expect(fetch(playground)).rejects.toThrow();
  expect(processesIn(clone.directory)).toEqual([]);
}, 900_000);

test('the program of the start page runs as the page says', async () => {
  const docs = new URL('../../../apps/docs/src/', import.meta.url);
  const page = readFileSync(new URL('content/docs/index.mdx', docs), 'utf8');
  const [, file = ''] = /in the clone as `([\w.-]+)`/.exec(page) ?? [];
  const [command = ''] = /npm run try .*/.exec(page) ?? [];
  const hero = readFileSync(new URL('components/Hero.astro', docs), 'utf8');
  const [, example = ''] = /examples\/([\w/-]+)\.node\.ts/.exec(hero) ?? [];
  copyFileSync(new URL(`examples/${example}.node.ts`, docs), join(clone.directory, file));
  const { code, stdout, stderr, seconds } = await clone.run(command);
  report(command, seconds);
  expect(code, stderr.slice(-2000)).toBe(0);
  expect(stdout).toContain(readFileSync(new URL(`examples/${example}.output.txt`, docs), 'utf8').trim());
  expect(statSync(join(clone.directory, 'good-morning.mp3')).size).toBeGreaterThan(10_000);
}, 300_000);

test('npm run demo speaks once and leaves sound and captions behind', async () => {
  const { code, stdout, stderr, seconds } = await clone.run(
    'npm run demo -- "Fresh bread and two cups of tea."',
  );
  report('npm run demo', seconds);
  expect(code, (stdout + stderr).slice(-4000)).toBe(0);
  for (const name of ['demo.opus', 'demo.wav', 'demo.vtt']) {
    const path = join(clone.directory, 'out', name);
    expect(existsSync(path), name).toBe(true);
    expect(statSync(path).size, name).toBeGreaterThan(50);
  }
  for (const word of ['Fresh', 'bread', 'tea']) expect(stdout).toContain(word);
}, 300_000);

test('a command that finds everything built prints only what it is for', async () => {
  const first = await clone.run('npm run --silent contract -- --version');
  expect(first.code, first.stderr.slice(-2000)).toBe(0);
  const second = await clone.run('npm run --silent contract -- --version');
  expect(second).toMatchObject({ code: 0, stdout: first.stdout, stderr: '' });
  // As under sudo or cron. An install would remove what is there, because its store would be another one.
  const elsewhere = await clone.run('HOME=$HOME/other npm run --silent contract -- --version');
  expect(elsewhere).toMatchObject({ code: 0, stdout: first.stdout, stderr: '' });
}, 300_000);

test('npm run --silent sandbox says nothing on stdout before its URL', async () => {
  const child = clone.start('npm run --silent sandbox -- --port 0');
  let stdout = '';
  child.stdout?.on('data', (chunk) => {
    stdout += String(chunk);
  });
  await expect.poll(() => stdout, { timeout: 120_000 }).toContain('\n');
  const first = stdout.split('\n')[0] ?? '';
  expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const answer = await fetch(`${first}/wallet/self/api-credit`, {
    headers: { authorization: 'Bearer sandbox-key' },
  });
  expect(answer.status).toBe(200);
  await answer.body?.cancel();
  await interrupt(child);
  expect(processesIn(clone.directory)).toEqual([]);
}, 300_000);

/** Prints each line of a command with the second at which it came: nobody should wait without a word. */
function reportLines(child: ChildProcess, began: number): void {
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => report(line, (performance.now() - began) / 1000));
  }
}

/** What the pattern's first group matched in the child's stdout, as soon as it did. */
async function textOf(child: ChildProcess, pattern: RegExp): Promise<string> {
  const kept = outputs.get(child) ?? keepOutput(child);
  await expect.poll(() => pattern.exec(kept.text)?.[1], { timeout: 840_000 }).toBeDefined();
  return pattern.exec(kept.text)?.[1] ?? '';
}

const outputs = new WeakMap<ChildProcess, { text: string }>();

function keepOutput(child: ChildProcess): { text: string } {
  const kept = { text: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    kept.text += text;
  });
  child.stderr?.resume();
  outputs.set(child, kept);
  return kept;
}

async function interrupt(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) throw new Error('it never started');
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGINT');
  await closed;
}

/** Command lines of processes that still run from the clone: a stopped command leaves none. */
function processesIn(directory: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  // turbo keeps a small daemon for its file watching, which ends by itself and serves nothing.
  return lines.filter((line) => line.includes(directory) && !/\bturbo\b/.test(line));
}
