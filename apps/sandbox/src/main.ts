import { runServerCommand } from '@speech-api/server';
import { type CommandLine, greet, helpText, readCommandLine, version } from './command-line.ts';
import { startSandbox } from './start-sandbox.ts';

await runServerCommand<CommandLine>({
  helpText,
  version,
  read: readCommandLine,
  start: (options, logger) => startSandbox({ ...options, logger }),
  greet,
});
