import { readServerOptions, type ServerOptionValues, serverOptionsHelp } from '@speech-api/server';
import { type RecordedCall, type RecordMode, wordsOf } from './calls.ts';

/** Values from the command line. */
export interface CommandLine extends ServerOptionValues {
  /** Undefined if any key is accepted. */
  readonly keys?: readonly string[];
  readonly json: boolean;
  /** True if the command exits with 1 after a request that broke the specification. */
  readonly failOnViolation: boolean;
  readonly har?: string;
  readonly record: RecordMode;
  /** A command to run while the mock listens; empty for none. */
  readonly during: readonly string[];
}

const defaultPort = 4020;
const { first, last } = serverOptionsHelp(defaultPort);

export const helpText = `speech-mock: the speech API without a service behind it

Usage: speech-mock [options] [-- COMMAND]

${first}  --key KEY             a key to accept, instead of any key; may be repeated
${last}  --har FILE            answer as in a recording, and 404 for what was not recorded
  --record MODE         settings (default) or bodies: what /__mock/calls shows of a request
  --json                write each call as a line of JSON to stdout, after the line with the URL
  --fail-on-violation   end with 1 when a request broke the specification
  --help                show this text
  --version             show the version

With -- COMMAND it runs the command, such as npm test, with SPEECH_BASE_URL, SPEECH_WEBSOCKET_URL and SPEECH_API_KEY
set, stops when the command does, and ends with its exit code; if that is 0, --fail-on-violation decides.

Otherwise the first line on stdout is the URL, and the mock runs until it is interrupted. Each call and its violations of the specification go to stderr.
`;

/**
 * Reads the command line.
 *
 * @throws Error with a message for a person when an option is unknown or its value is not valid
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { options, during } = splitCommand(args);
  const { shared, own } = readServerOptions(options, {
    defaultPort,
    own: {
      key: { type: 'string', multiple: true },
      har: { type: 'string' },
      record: { type: 'string', default: 'settings' },
      json: { type: 'boolean', default: false },
      'fail-on-violation': { type: 'boolean', default: false },
    },
  });
  return {
    ...shared,
    ...(own.key === undefined ? {} : { keys: own.key }),
    ...(own.har === undefined ? {} : { har: own.har }),
    record: readMode(own.record),
    json: own.json,
    failOnViolation: own['fail-on-violation'],
    during,
  };
}

function readMode(mode: string): RecordMode {
  if (mode === 'settings' || mode === 'bodies') return mode;
  throw new Error(`--record takes settings or bodies, not ${mode}.`);
}

/** A script runner may pass on its own separator as the first word, before an option. */
function splitCommand(args: readonly string[]): { options: readonly string[]; during: readonly string[] } {
  const isOfRunner = args[0] === '--' && args[1]?.startsWith('-') === true;
  const place = args.indexOf('--', isOfRunner ? 1 : 0);
  if (place < 0) return { options: args, during: [] };
  const during = args.slice(place + 1);
  if (during.length === 0) throw new Error('-- needs a command after it, such as -- npm test.');
  return { options: args.slice(0, place), during };
}

/** A call for a person: one line, and one for each violation. */
export function callLines({ operationId, method, path, status, violations }: RecordedCall): string[] {
  const outcome = status === undefined ? '(left)' : String(status);
  const name = operationId === undefined ? '' : ` ${operationId}`;
  return [`${method} ${path} ${outcome}${name}`, ...violations.map((violation) => `  ${wordsOf(violation)}`)];
}
