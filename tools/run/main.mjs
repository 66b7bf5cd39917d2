#!/usr/bin/env node
// Every root script starts here. Plain JavaScript, because it runs on the caller's Node, whatever its version:
// it installs, and then continues on the Node that the install brought.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdLock } from './lock.mjs';

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

const unlock = await holdLock();
const installed = await run(
  'npx',
  ['-y', packageManager, 'install', '--frozen-lockfile'],
  { stdio: ['ignore', 'pipe', 'pipe'], shell: isWindows },
  showWhatIsDone(),
);
unlock();
if (installed !== 0) {
  process.stderr.write('The install failed; the reason is above.\n');
  process.exit(installed);
}

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

/**
 * Passes an install's output to stderr from the first line on that tells of work; an install that finds everything in
 * place says nothing. stdout belongs to the command itself: the first line of `npm run --silent sandbox` is its address.
 */
function showWhatIsDone() {
  const idle =
    /^(?:npm warn .*|Scope: .*|. Lockfile passes .*|Lockfile is up to date.*|Already up to date|Done in .*|)$/u;
  let held = '';
  let isShown = false;
  return {
    add(text) {
      held += text;
      const lines = held.split('\n');
      // What follows the last line break is a line that is still being written.
      if (!isShown && lines.slice(0, -1).every((line) => idle.test(line))) return;
      isShown = true;
      process.stderr.write(held);
      held = '';
    },
    close(code) {
      if (code !== 0) process.stderr.write(held);
    },
  };
}

function run(command, args, options, output) {
  return new Promise((resolve, reject) => {
    child = spawn(command, args, options);
    child.on('error', reject);
    child.stdout?.setEncoding('utf8').on('data', (text) => output.add(text));
    child.stderr?.setEncoding('utf8').on('data', (text) => output.add(text));
    child.on('close', (code, signal) => {
      output?.close(code);
      resolve(code ?? (signal === 'SIGTERM' ? 143 : 130));
    });
  });
}
