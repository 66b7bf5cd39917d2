#!/usr/bin/env node
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startProgram } from '@speech-api/server/node-version';

const defaultBudget = 2000;
const help = `speech-mcp: tools for agents that work with the speech API (Model Context Protocol, over stdio)

Usage: speech-mcp [--allow-billing --folder FOLDER [--budget CHARACTERS]]

  --allow-billing       lets the tool speak_to_file call the service, which bills it
  --folder FOLDER       where it makes files, created if it is missing; it overwrites none, and writes nowhere else
  --budget CHARACTERS   how many it may send as long as this process runs (default ${defaultBudget})
  --help, --version     this text; the version

speak_to_file reads SPEECH_API_KEY and SPEECH_BASE_URL. The other tools search the documentation, read the
specification, check requests and explain findings; they need no key and no network.
`;

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'allow-billing': { type: 'boolean', default: false },
      folder: { type: 'string' },
      budget: { type: 'string' },
      help: { type: 'boolean' },
      version: { type: 'boolean' },
    },
  });
  const { folder, budget, 'allow-billing': allowBilling } = values;
  if (values.help) return void process.stdout.write(help);
  if (values.version) return void process.stdout.write(`${version}\n`);
  if (allowBilling !== Boolean(folder) || (budget !== undefined && !allowBilling))
    throw new Error('--allow-billing needs --folder, and --folder and --budget need --allow-billing.');
  const characters = Number(budget ?? defaultBudget);
  if (!Number.isSafeInteger(characters) || characters < 1)
    throw new Error(`--budget must be a whole number of characters, at least 1, not "${budget}".`);
  // Only now: an older Node may not even be able to load these.
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { Speaker } = await import('./speak.ts');
  const { createServer } = await import('./tools.ts');
  if (folder) mkdirSync(folder, { recursive: true });
  const speaker = new Speaker(folder && realpathSync(folder), characters);
  const connection = serveStdio(() => createServer(version, speaker));
  // As at the end of stdin: calls are aborted, which removes their files, and nothing holds the process any longer.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => connection.close());
}

await startProgram(import.meta.url, () =>
  main().catch(({ message }: Error) => {
    process.stderr.write(`speech-mcp: ${message}\nSee speech-mcp --help.\n`);
    process.exitCode = 2;
  }),
);
