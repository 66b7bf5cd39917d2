#!/usr/bin/env node
import { type CommandLine, helpText, readCommandLine } from './command/command-line.ts';
import { explainStartError } from './command/explain-start-error.ts';
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
  say(
    `Speech sandbox ${version}. Keys: sandbox-key, sandbox-empty (402), sandbox-busy (429), sandbox-forbidden (403).`,
  );
  say(`curl ${sandbox.url}/v1/tts -H 'authorization: Bearer sandbox-key' -H 'model: s2-pro' \\`);
  say(`  -H 'content-type: application/json' -d '{"text":"Hello."}' --output hello.mp3`);
  if (options.data === undefined && !options.memory) {
    say('State is in memory and gone when the sandbox ends; --data DIR keeps it, --memory hides this line.');
  }
  if (!/^(127\.|::1$|localhost$)/.test(options.host)) {
    say(
      `It listens on ${options.host}: whoever reaches this machine reaches it, with keys that everybody knows.`,
    );
  }
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
