#!/usr/bin/env node
// The one door through which every root script starts its tools. Plain JavaScript on purpose:
// an old Node must be able to read it far enough to say which Node is needed.
import { fileURLToPath } from 'node:url';

const neededMajor = 24;
const neededMinor = 18;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(
    `This needs Node ${neededMajor}.${neededMinor} or newer, and runs on ${process.versions.node}.\n` +
      'The install step normally brings its own Node; there may be no build of it for this machine.\n' +
      `Install Node ${neededMajor} from https://nodejs.org and run the same command again.\n`,
  );
  process.exit(1);
}

// Nothing of ours phones home: set once here, for every tool that is started below.
Object.assign(process.env, {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  TURBO_TELEMETRY_DISABLED: '1',
  SCARF_ANALYTICS: 'false',
  DO_NOT_TRACK: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
});

process.chdir(fileURLToPath(new URL('../../', import.meta.url)));
const { runCommand } = await import('./src/run-command.ts');
process.exitCode = await runCommand(process.argv[2], process.argv.slice(3));
