#!/usr/bin/env node
import type { RecordedCall } from './calls/recorded-call.ts';
import { callLines } from './command/call-lines.ts';
import { type CommandLine, helpText, readCommandLine } from './command/command-line.ts';
import { explainStartError } from './command/explain-start-error.ts';
import { type RunningMock, startMock } from './start-mock.ts';
import { version } from './version.ts';

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

const options = readArguments();
let violated = false;

function tell(call: RecordedCall): void {
  violated ||= !call.valid;
  if (options.json) process.stdout.write(`${JSON.stringify(call)}\n`);
  else for (const line of callLines(call)) say(line);
}

async function start(): Promise<RunningMock> {
  try {
    return await startMock({ ...options, onCall: tell });
  } catch (error) {
    say(explainStartError(error, options));
    process.exit(1);
  }
}

if (options.help) {
  process.stdout.write(helpText);
} else if (options.version) {
  process.stdout.write(`${version}\n`);
} else {
  const mock = await start();
  process.stdout.write(`${mock.url}\n`);
  say(`Speech mock ${version}, ${options.lenient ? 'lenient' : 'strict'}. Ctrl-C ends it.`);
  let closing = false;
  const close = (): void => {
    // A second Ctrl-C does not wait.
    if (closing) process.exit(130);
    closing = true;
    mock.close().then(() => process.exit(options.failOnViolation && violated ? 1 : 0));
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
}
