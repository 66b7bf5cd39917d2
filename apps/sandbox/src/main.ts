import { runProgram } from '@speech-api/program';
import { createCommandLine } from './command-line.ts';

const program = createCommandLine(async (options) => {
  // Loaded only now: the help needs no engine.
  const { runSandbox } = await import('./run-sandbox.ts');
  await runSandbox(options);
});
await runProgram(program);
