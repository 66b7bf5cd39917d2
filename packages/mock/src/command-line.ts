import {
  type Command,
  createProgram,
  Option,
  repeated,
  type ServerOptions,
  serverOptions,
} from '@speech-api/program';
import { versionOf } from '@speech-api/program/node-version';
import type { MockSettings } from './service.ts';

export interface CommandLine extends ServerOptions, Pick<MockSettings, 'har' | 'record'> {
  readonly key?: readonly string[];
  readonly json?: boolean;
  /** True if the command exits with 1 after a request that broke the specification. */
  readonly failOnViolation?: boolean;
}

export const version = versionOf(import.meta.url);

export function createCommandLine(run: (options: CommandLine) => void | Promise<void>): Command {
  const [port, host, ...shared] = serverOptions(4020);
  const options = [
    port,
    host,
    new Option('--key <key>', 'a key to accept, instead of any key; may be repeated').argParser(repeated()),
    ...shared,
    new Option('--har <file>', 'answer as in a recording, and 404 for what was not recorded'),
    new Option('--record <mode>', 'what / and /__calls show of a call: bodies adds texts and audio')
      .choices(['settings', 'bodies'])
      .default('settings'),
    new Option('--json', 'write each call as a line of JSON to stdout, after the line with the URL'),
    new Option('--fail-on-violation', 'end with 1 when a request broke the specification'),
  ];
  const program = createProgram('speech-mock', 'The speech API without a service behind it.', version)
    .usage('[options] [-- COMMAND]')
    .addHelpText(
      'after',
      `
With -- COMMAND it runs the command, such as npm test, with SPEECH_BASE_URL, SPEECH_WEBSOCKET_URL and SPEECH_API_KEY
set, stops when the command does, and ends with its exit code; if that is 0, --fail-on-violation decides.

Otherwise the first line on stdout is the URL, and the mock runs until it is interrupted. Each call and its violations
of the specification go to stderr.`,
    )
    .action(run);
  for (const option of options) if (option) program.addOption(option);
  return program;
}
