#!/usr/bin/env node
import { runServerCommand, versionOf } from '@speech-api/server';
import { type CommandLine, callLines, helpText, readCommandLine } from './command-line.ts';
import { startMock } from './start-mock.ts';

let violated = false;
const version = versionOf(import.meta.url);

await runServerCommand<CommandLine>({
  helpText,
  version,
  read: readCommandLine,
  start: (options, say) =>
    startMock({
      ...options,
      onCall(call) {
        violated ||= !call.valid;
        if (options.json) process.stdout.write(`${JSON.stringify(call)}\n`);
        else for (const line of callLines(call)) say(line);
      },
    }),
  greet: (_, { lenient }) => [`Speech mock ${version}, ${lenient ? 'lenient' : 'strict'}. Ctrl-C ends it.`],
  exitCode: ({ failOnViolation }) => (failOnViolation && violated ? 1 : 0),
});
