#!/usr/bin/env node
import { type CommandLine, helpText, readCommandLine } from './command/command-line.ts';
import { explainStartError } from './command/explain-start-error.ts';
import { greet } from './command/greeting.ts';
import { type RunningSandbox, startSandbox } from './start-sandbox.ts';
import { version } from './version.ts';

/** stdout carries the URL alone, so that scripts can read it. */
const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

function readArguments(): CommandLine {
  try {
    return readCommandLine(process.argv.slice(2));
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n\n${helpText}`);
    process.exit(2);
  }
}

async function start(options: CommandLine): Promise<RunningSandbox> {
  try {
    return await startSandbox({ ...options, logger: say });
  } catch (error) {
    say(explainStartError(error, options));
    process.exit(1);
  }
}

const options = readArguments();
if (options.help) {
  process.stdout.write(helpText);
} else if (options.version) {
  process.stdout.write(`${version}\n`);
} else {
  const sandbox = await start(options);
  process.stdout.write(`${sandbox.url}\n`);
  for (const line of greet(sandbox.url, options)) say(line);
  let closing = false;
  const close = (): void => {
    // A second Ctrl-C does not wait.
    if (closing) process.exit(130);
    closing = true;
    sandbox.close().then(() => process.exit(0));
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
}
