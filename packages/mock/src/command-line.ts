import { readServerOptions, type ServerOptionValues, serverOptionsHelp } from '@speech-api/server';
import type { RecordedCall, Violation } from './calls.ts';

/** What the command line asks for. */
export interface CommandLine extends ServerOptionValues {
  /** Absent when any key is good. */
  readonly keys?: readonly string[];
  readonly json: boolean;
  /** The command ends with 1 when a request broke the specification. */
  readonly failOnViolation: boolean;
}

const defaultPort = 4020;
const { first, last } = serverOptionsHelp(defaultPort);

export const helpText = `speech-mock: the speech API without a service behind it

Usage: speech-mock [options]

${first}  --key KEY             a key to accept, instead of any key; may be repeated
${last}  --json                write each call as a line of JSON to stdout, after the line with the URL
  --fail-on-violation   end with 1 when a request broke the specification
  --help                show this text
  --version             show the version

The first line on stdout is the URL. Each call and its violations of the specification go to stderr.
`;

/**
 * Reads the command line.
 *
 * @throws Error with a message for a person when an option is unknown or its value is not valid
 */
export function readCommandLine(given: readonly string[]): CommandLine {
  const { shared, own } = readServerOptions(given, {
    defaultPort,
    own: {
      key: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      'fail-on-violation': { type: 'boolean', default: false },
    },
  });
  return {
    ...shared,
    ...(own.key === undefined ? {} : { keys: own.key }),
    json: own.json,
    failOnViolation: own['fail-on-violation'],
  };
}

/** A call for a person: one line, and one for each violation. */
export function callLines({ operationId, method, path, status, violations }: RecordedCall): string[] {
  const outcome = status === undefined ? '(left)' : String(status);
  const name = operationId === undefined ? '' : ` ${operationId}`;
  return [`${method} ${path} ${outcome}${name}`, ...violations.map((violation) => `  ${wordsOf(violation)}`)];
}

function wordsOf({ rule, loc, message }: Violation): string {
  return `${rule}${loc.length > 0 ? ` at ${loc.join('.')}` : ''}: ${message}`;
}
