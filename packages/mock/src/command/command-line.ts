import { parseArgs } from 'node:util';
import { readRule } from '@speech-api/server';

/** What the command line asks for. */
export interface CommandLine {
  readonly port: number;
  readonly host: string;
  /** Absent when any key is good. */
  readonly keys?: readonly string[];
  readonly allowOrigin: readonly string[];
  readonly lenient: boolean;
  readonly faults: readonly string[];
  readonly json: boolean;
  /** The command ends with 1 when a request broke the specification. */
  readonly failOnViolation: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

const defaultPort = 4020;

export const helpText = `speech-mock: the speech API without a service behind it

Usage: speech-mock [options]

  --port N              port to listen on, 0 for any free one (default ${defaultPort})
  --host ADDRESS        address to bind to (default 127.0.0.1)
  --key KEY             a key that is good, in place of any; may be repeated
  --allow-origin URL    origin that may call beside the loopback ones; may be repeated
  --lenient             accept what other clients of the interface send beyond the specification
  --fault RULE          let answers go wrong, such as "POST /v1/tts status=503 times=2"; may be repeated
  --json                write each call as a line of JSON to stdout, after the line with the URL
  --fail-on-violation   end with 1 when a request broke the specification
  --help                show this text
  --version             show the version

The first line on stdout is the URL; what came in, with each violation of the specification, goes to stderr.
`;

/**
 * Reads the command line.
 *
 * @throws Error with a message for a person when an option is unknown or its value is no good
 */
export function readCommandLine(given: readonly string[]): CommandLine {
  const { values } = parseArgs({
    // A script runner may hand its separator on.
    args: given.filter((argument, index) => !(argument === '--' && index === 0)),
    options: {
      port: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      key: { type: 'string', multiple: true },
      'allow-origin': { type: 'string', multiple: true, default: [] },
      lenient: { type: 'boolean', default: false },
      fault: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      'fail-on-violation': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
    },
  });
  const allowOrigin = values['allow-origin'];
  for (const origin of allowOrigin) {
    if (!URL.canParse(origin) || !/^https?:$/.test(new URL(origin).protocol)) {
      throw new Error(`--allow-origin takes an origin such as https://staging.example.com, not ${origin}.`);
    }
  }
  for (const rule of values.fault) checkFault(rule);
  return {
    port: readPort(values.port),
    host: values.host,
    ...(values.key === undefined ? {} : { keys: values.key }),
    allowOrigin,
    lenient: values.lenient,
    faults: values.fault,
    json: values.json,
    failOnViolation: values['fail-on-violation'],
    help: values.help,
    version: values.version,
  };
}

function readPort(given: string | undefined): number {
  if (given === undefined) return defaultPort;
  const port = Number(given);
  if (/^\d+$/.test(given) && port <= 65_535) return port;
  throw new Error(`--port takes a number from 0 to 65535, not ${given}.`);
}

function checkFault(rule: string): void {
  try {
    readRule(rule);
  } catch (error) {
    throw new Error(`--fault: ${(error as Error).message}`, { cause: error });
  }
}
