import { runProgram } from '@speech-api/program';
import { splitCommand } from '@speech-api/program/run-command';
import { createCommandLine } from './command-line.ts';

const { options, command } = splitCommand(process.argv.slice(2));
const program = createCommandLine(async (values) => {
  // Loaded only now: the help needs no server.
  const { runMock } = await import('./run-mock.ts');
  await runMock(values, command);
});
await runProgram(program, options);
