#!/usr/bin/env node
// Most root scripts start here. Plain JavaScript, because it runs on the caller's Node, whatever its version:
// it installs, and then continues on the Node that the install brought.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { helpFor } from './help.mjs';
import { holdLock } from './lock.mjs';
import { installedProgram } from './program.mjs';

const help = helpFor(process.argv[2], process.argv.slice(3));
if (help !== undefined) {
  process.stdout.write(help);
  process.exit(0);
}

const needed = { major: 24, minor: 18 };
const isWindows = process.platform === 'win32';

process.chdir(fileURLToPath(new URL('../../', import.meta.url)));
const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8'));

// Ctrl-C reaches the whole process group, so the child ends by itself; SIGTERM reaches only this process.
let child;
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child?.kill('SIGTERM'));
// npm passes no SIGTERM on: a script that ends `npm run sandbox &` would leave the server running.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) child?.kill('SIGTERM');
}, 500).unref();

// Bun, Deno and workerd are a quarter of all bytes. Nothing but these suites needs them.
const suitesWithRuntimes = ['runtimes', 'samples', 'consumers'];
const suites = process.argv.slice(3).filter((word) => !word.startsWith('-'));
const needsRuntimes =
  process.argv[2] === 'test:full' &&
  (suites.length === 0 || suites.some((suite) => suitesWithRuntimes.includes(suite)));

// Skip an install that has nothing to do: under another HOME, pnpm would remove node_modules first.
const installedPath = join('node_modules', '.installed');
const unlock = await holdLock();
const wanted = `${process.platform} ${process.arch}\n${readFileSync('pnpm-lock.yaml', 'utf8')}`;
const last = readInstalled();
if (last.wanted !== wanted || (needsRuntimes && !last.hasRuntimes)) {
  // Another HOME has another store, to which pnpm moves all workspaces or none.
  const isElsewhere = existsSync(join('node_modules', '.modules.yaml')) && last.home !== homedir();
  const hasRuntimes = needsRuntimes || isElsewhere;
  // stdout belongs to the command itself: the first line of `npm run --silent sandbox` is its address.
  const size = hasRuntimes ? '1.5 GB' : '1.1 GB';
  process.stderr.write(`Installing what this needs (about a minute, and ${size}, the first time) ...\n`);
  // A clone's own lockfile is trusted; the job `supply-chain` of the hosted checks asks the registry about each entry.
  const install = ['-y', packageManager, 'install', '--frozen-lockfile', '--trust-lockfile'];
  if (!hasRuntimes) install.push('--filter', '!@speech-api/runtimes');
  const [npx, args, shell] = installedProgram('npx', install);
  const code = await run(npx, args, { stdio: ['ignore', process.stderr, 'inherit'], ...shell });
  if (code !== 0) {
    process.stderr.write('The install failed; the reason is above.\n');
    process.exit(code);
  }
  writeFileSync(installedPath, JSON.stringify({ wanted, hasRuntimes, home: homedir() }));
}
unlock();

// Nothing phones home: set here once, for every tool that is started below.
const environment = {
  ...process.env,
  PATH: join(process.cwd(), 'node_modules', '.bin') + delimiter + (process.env.PATH ?? ''),
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  TURBO_TELEMETRY_DISABLED: '1',
  SCARF_ANALYTICS: 'false',
  DO_NOT_TRACK: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
};
process.exitCode = await run(chooseNode(), ['tools/run/src/main.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: environment,
});

/** The platform and lockfile of the last install, whether it brought the runtimes, and the home of its store. */
function readInstalled() {
  try {
    return JSON.parse(readFileSync(installedPath, 'utf8'));
  } catch {
    return {};
  }
}

/** The installed Node, or the caller's own where there is no build of it for this machine. */
function chooseNode() {
  const binary = join('node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > needed.major || (major === needed.major && minor >= needed.minor)) return process.execPath;
  process.stderr.write(
    `This needs Node ${needed.major}.${needed.minor} or newer, and runs on ${process.versions.node}.\n` +
      'The install normally brings its own Node, but there is no build of it for this machine.\n' +
      `Install Node ${needed.major} from https://nodejs.org and run the same command again.\n`,
  );
  process.exit(1);
}

function run(command, args, options) {
  return new Promise((resolve, reject) => {
    child = spawn(command, args, options);
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGTERM' ? 143 : 130)));
  });
}
