import { mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import {
  createProgram,
  InvalidArgumentError,
  onInterrupt,
  runProgram,
  UsageError,
  wholeNumber,
} from '@speech-api/program';
import { versionOf } from '@speech-api/program/node-version';

interface CommandLine {
  readonly allowBilling?: boolean;
  readonly folder?: string;
  readonly budget?: number;
  readonly recordings?: number;
}

const defaults = { budget: 2000, recordings: 10 };
const version = versionOf(import.meta.url);
const amount = wholeNumber(1);
const summary = 'Tools for agents that work with the speech API (Model Context Protocol, over stdio).';
const program = createProgram('speech-mcp', summary, version)
  .option(
    '--allow-billing',
    'lets the tools speak_to_file and transcribe_file call the service, which bills them',
  )
  .option(
    '--folder <folder>',
    'where they read and make files, created if it is missing; they overwrite none',
    folderOf,
  )
  .option(
    '--budget <characters>',
    `how many may be spoken as long as this process runs; without it, ${defaults.budget}`,
    amount,
  )
  .option(
    '--recordings <count>',
    `how many may be transcribed as long as this process runs; without it, ${defaults.recordings}`,
    amount,
  )
  .addHelpText(
    'after',
    `
These two and list_voices read SPEECH_API_KEY and SPEECH_BASE_URL. The other tools search the documentation, read
the specification, check requests and explain findings; they need no key and no network.`,
  )
  .action(run);
await runProgram(program);

async function run({ allowBilling = false, folder, budget, recordings }: CommandLine): Promise<void> {
  if (allowBilling !== Boolean(folder) || ((budget ?? recordings) !== undefined && !allowBilling))
    throw new UsageError('--allow-billing needs --folder, and the other options need --allow-billing.');
  const limits = {
    characters: budget ?? defaults.budget,
    recordings: recordings ?? defaults.recordings,
  };
  // Only now: the help needs none of these.
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { BilledCalls } = await import('./billed.ts');
  const { createServer } = await import('./tools.ts');
  if (folder) mkdirSync(folder, { recursive: true });
  const billed = new BilledCalls(folder && realpathSync(folder), limits);
  const connection = serveStdio(() => createServer(version, billed));
  // As at the end of stdin: calls are aborted, which removes their files, and nothing holds the process any longer.
  onInterrupt(() => connection.close());
}

/** A host passes the words of its settings on, in which no shell has replaced the home folder. */
function folderOf(text: string): string {
  const path = text.replace(/^(?:~|\$HOME|\$\{HOME\})(?=[/\\]|$)/, homedir);
  if (!/^[~$]/.test(path)) return path;
  throw new InvalidArgumentError('Write the whole path: only ~ and $HOME are replaced.');
}
