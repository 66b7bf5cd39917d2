import { asUsage, runServer, UsageError } from '@speech-api/program';
import { runCommand } from '@speech-api/program/run-command';
import { type RecordedCall, readFaultOption, wordsOf } from '@speech-api/server';
import { type CommandLine, version } from './command-line.ts';
import { startMock } from './start-mock.ts';

/** @param command - The words of a command to run while the mock listens. */
export async function runMock(
  { key: keys, fault, failOnViolation, json, ...options }: CommandLine,
  command: readonly string[] | undefined,
): Promise<void> {
  if (command?.length === 0) throw new UsageError('-- needs a command after it, such as -- npm test.');
  let calls = 0;
  let violated = 0;
  const faults = asUsage(() => fault && readFaultOption(fault));
  const onCall = (call: RecordedCall): void => {
    calls += 1;
    if (!call.valid) violated += 1;
    if (json) process.stdout.write(`${JSON.stringify(call)}\n`);
    else process.stderr.write(callLines(call));
  };
  await runServer({
    start: () => startMock({ ...options, ...(keys && { keys }), ...(faults && { faults }), onCall }),
    greet: () => [`Speech mock ${version}, ${options.lenient ? 'lenient' : 'strict'}. Ctrl-C ends it.`],
    during:
      command &&
      ((url) =>
        runCommand(command, {
          SPEECH_BASE_URL: url,
          SPEECH_WEBSOCKET_URL: url.replace('http', 'ws'),
          SPEECH_API_KEY: keys?.[0] ?? 'any-key',
        })),
    farewell: () => ({
      line:
        `${calls} ${calls === 1 ? 'call' : 'calls'}, ${violated} against the specification.` +
        (calls === 0 && command ? ' Check that your code calls SPEECH_BASE_URL.' : ''),
      exitCode: failOnViolation && violated > 0 ? 1 : 0,
    }),
  });
}

/** A call for a person: one line, and one for each violation. */
function callLines({ operationId, method, path, status, violations }: RecordedCall): string {
  const outcome = status === undefined ? '(left)' : String(status);
  const name = operationId === undefined ? '' : ` ${operationId}`;
  const lines = violations.map((violation) => `  ${wordsOf(violation)}\n`);
  return `${method} ${path} ${outcome}${name}\n${lines.join('')}`;
}
