import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { serveArchives } from '../src/registry.ts';

// A clone of what is committed, an empty home, and the machine's own Node: what a newcomer has.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const base = mkdtempSync(join(tmpdir(), 'fresh-clone-'));
const clone = join(base, 'clone');
beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', `file://${root}`, clone]);
  mkdirSync(join(base, 'home'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Only what a new login has, and a store of packages; the repository's own `node_modules/.bin` is taken off the path. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules') && !entry.includes('node-gyp-bin'))
    .join(delimiter);
  // CI means the same in the clone. The certificates are those of a company's own authority.
  const { CI, NODE_EXTRA_CA_CERTS } = process.env;
  // The packages that this repository's own install has fetched are not fetched again.
  const store = execFileSync('pnpm', ['store', 'path'], { cwd: root, encoding: 'utf8' }).trim();
  return { PATH: path, HOME: join(base, 'home'), CI, NODE_EXTRA_CA_CERTS, npm_config_store_dir: store };
}

/** Starts a command in the clone; each line is printed with the second at which it came. */
function start(command: string) {
  // A process group of its own, so that a Ctrl-C can be sent to all of it, as a terminal does.
  const child = spawn('sh', ['-c', command], {
    cwd: clone,
    env: bareEnvironment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const began = performance.now();
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    createInterface({ input: child[name] }).on('line', (line) => {
      printed[name] += `${line}\n`;
      process.stdout.write(`${((performance.now() - began) / 1000).toFixed(1)} s  ${line}\n`);
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...printed }));
  /** The first group of a pattern in what it prints, as soon as it is there. */
  const find = async (pattern: RegExp): Promise<string> => {
    await expect.poll(() => pattern.exec(printed.stdout)?.[1], { timeout: 840_000 }).toBeDefined();
    return pattern.exec(printed.stdout)?.[1] ?? '';
  };
  return { child, printed, ended, find };
}

async function succeed(command: string) {
  const { code, stdout, stderr } = await start(command).ended;
  expect(code, (stdout + stderr).slice(-4000)).toBe(0);
  return { stdout, stderr };
}

/** Sends Ctrl-C; a stopped command leaves no process behind. */
async function interrupt({ child, ended }: { child: ChildProcess; ended: Promise<unknown> }): Promise<void> {
  process.kill(-(child.pid ?? Number.NaN), 'SIGINT');
  await ended;
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  // turbo keeps a small daemon for its file watching, which ends by itself and serves nothing.
  expect(lines.filter((line) => line.includes(clone) && !/\bturbo\b/.test(line))).toEqual([]);
}

// First of all, as a newcomer does: nothing is installed and nothing is built.
test('npm start brings up page and sandbox, and Ctrl-C takes both down', async () => {
  const running = start('npm start -- --no-open');
  const sandbox = await running.find(/Sandbox\s+(http:\S+)/);
  expect((await fetch(sandbox)).status).toBeLessThan(500);
  const playground = await running.find(/Playground\s+(http:\S+)/);
  const relay = await running.find(/Relay\s+(ws:\S+)/);
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
  expect(page).toContain(`Save the program at the top of this page as \`${file}\``);
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
  // As under sudo or cron. An install would remove what is there, because its store would be another one.
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

test('npm run release -- --dry-run packs and checks every package, and publishes nothing', async () => {
  const { stdout } = await succeed('npm run --silent release -- --dry-run --json');
  const { packages, problems, tasks } = JSON.parse(stdout);
  expect(problems).toEqual([]);
  expect(packages.length).toBeGreaterThan(12);
  for (const { archive } of packages)
    expect(statSync(join(clone, 'out/release', archive)).size, archive).toBeGreaterThan(1000);
  expect(readdirSync(join(clone, 'out/release/sbom'))).toHaveLength(packages.length);
  const { repository } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
  expect(tasks.join().includes('placeholder')).toBe(repository.url.includes('.example/'));
  // The workflow would publish what is in it.
  expect(readdirSync(join(clone, 'out/release'))).not.toContain('release.json');
}, 900_000);

test('what npm run release -- --to publishes can be installed, locked and updated elsewhere', async () => {
  const registry = await serveArchives([]);
  onTestFinished(() => registry.close());
  writeFileSync(join(base, 'home/.npmrc'), `//${new URL(registry.url).host}/:_authToken=a-token\n`);
  const publish = () => succeed(`npm run --silent release -- --to ${registry.url}`);
  const { stdout } = await publish();
  expect(stdout).toMatch(/^@speech-api\/client 0\.\d+\.\d+-next\.\d{14}\.g[0-9a-f]+$/m);
  const projects = {
    npm: ['npm install @speech-api/client@next', 'npm ci', 'npm install @speech-api/client@next'],
    pnpm: [
      'pnpm add @speech-api/client@next',
      'pnpm install --frozen-lockfile',
      'pnpm update @speech-api/client@next',
    ],
  };
  const inProject = (name: string, command: string) =>
    succeed(
      `cd ../${name} && rm -rf node_modules && ${command.replace(/^pnpm/, `npx -y ${packageManager}`)}`,
    );
  const installed = (name: string): string =>
    JSON.parse(readFileSync(join(base, name, 'node_modules/@speech-api/client/package.json'), 'utf8'))
      .version;
  const { packageManager } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
  for (const [name, [install = '']] of Object.entries(projects)) {
    mkdirSync(join(base, name));
    writeFileSync(join(base, name, 'package.json'), '{"private":true}');
    writeFileSync(join(base, name, '.npmrc'), `@speech-api:registry=${registry.url}\n`);
    await inProject(name, install);
  }
  const first = installed('npm');
  appendFileSync(join(clone, 'packages/client/README.md'), '\nOne more line.\n');
  expect((await start(`npm run release -- --to ${registry.url}`).ended).stderr).toContain('Files differ');
  await succeed('git -c user.name=a -c user.email=a@b commit --quiet --all --message "Add a line"');
  await publish();
  for (const [name, [, reinstall = '', update = '']] of Object.entries(projects)) {
    await inProject(name, reinstall);
    expect(installed(name), name).toBe(first);
    await inProject(name, update);
    expect(installed(name) > first, name).toBe(true);
  }
}, 900_000);
