import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface CommandLine {
  readonly port: number;
  readonly host: string;
  readonly allowOrigin: readonly string[];
  readonly lenient: boolean;
  readonly data?: string;
  readonly help: boolean;
  readonly version: boolean;
}

const defaultPort = 4010;

export const helpText = `speech-sandbox: the speech service on one machine

Usage: speech-sandbox [options]

  --port N           port to listen on, 0 for any free one (default ${defaultPort})
  --host ADDRESS     address to bind to (default 127.0.0.1)
  --data DIR         folder; a seed.json in it replaces the built-in seed data
  --allow-origin URL origin that may call beside the loopback ones; may be repeated
  --lenient          accept what other clients of the interface send beyond the specification
  --help             show this text
  --version          show the version

The first line on stdout is the URL; everything else goes to stderr.
`;

/**
 * Reads the command line.
 *
 * @throws Error with a message for a person when an option is unknown or its value is no good
 */
export function readCommandLine(given: readonly string[]): CommandLine {
  const { values } = parseArgs({
    // `npm run sandbox -- --port 0` may hand the separator on.
    args: given.filter((argument, index) => !(argument === '--' && index === 0)),
    options: {
      port: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      data: { type: 'string' },
      'allow-origin': { type: 'string', multiple: true, default: [] },
      lenient: { type: 'boolean', default: false },
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
  return {
    port: readPort(values.port),
    host: values.host,
    allowOrigin,
    lenient: values.lenient,
    ...(values.data === undefined ? {} : { data: values.data }),
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
