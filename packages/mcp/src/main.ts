#!/usr/bin/env node
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startProgram } from '@speech-api/server/node-version';

const defaults = { budget: 2000, recordings: 10 };
const help = `speech-mcp: tools for agents that work with the speech API (Model Context Protocol, over stdio)

Usage: speech-mcp [--allow-billing --folder FOLDER [--budget CHARACTERS] [--recordings COUNT]]

  --allow-billing       lets the tools speak_to_file and transcribe_file call the service, which bills them
  --folder FOLDER       where they read and make files, created if it is missing; they overwrite none
  --budget CHARACTERS   how many may be spoken as long as this process runs (default ${defaults.budget})
  --recordings COUNT    how many may be transcribed as long as this process runs (default ${defaults.recordings})
  --help, --version     this text; the version

These two and list_voices read SPEECH_API_KEY and SPEECH_BASE_URL. The other tools search the documentation, read
the specification, check requests and explain findings; they need no key and no network.
`;

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'allow-billing': { type: 'boolean', default: false },
      folder: { type: 'string' },
      budget: { type: 'string' },
      recordings: { type: 'string' },
      help: { type: 'boolean' },
      version: { type: 'boolean' },
    },
  });
  const { folder, budget, recordings, 'allow-billing': allowBilling } = values;
  if (values.help) return void process.stdout.write(help);
  if (values.version) return void process.stdout.write(`${version}\n`);
  if (allowBilling !== Boolean(folder) || ((budget ?? recordings) !== undefined && !allowBilling))
    throw new Error('--allow-billing needs --folder, and the other options need --allow-billing.');
  const limits = { characters: amountOf('budget', budget), recordings: amountOf('recordings', recordings) };
  // Only now: an older Node may not even be able to load these.
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { BilledCalls } = await import('./billed.ts');
  const { createServer } = await import('./tools.ts');
  if (folder) mkdirSync(folder, { recursive: true });
  const billed = new BilledCalls(folder && realpathSync(folder), limits);
  const connection = serveStdio(() => createServer(version, billed));
  // As at the end of stdin: calls are aborted, which removes their files, and nothing holds the process any longer.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => connection.close());
}

function amountOf(option: keyof typeof defaults, value: string | undefined): number {
  const amount = Number(value ?? defaults[option]);
  if (Number.isSafeInteger(amount) && amount >= 1) return amount;
  throw new Error(`--${option} must be a whole number, at least 1, not "${value}".`);
}

await startProgram(import.meta.url, () =>
  main().catch(({ message }: Error) => {
    process.stderr.write(`speech-mcp: ${message}\nSee speech-mcp --help.\n`);
    process.exitCode = 2;
  }),
);
