import { parseArgs } from 'node:util';
import { readChaosOption } from '../chaos/read-chaos-option.ts';
import {
  isLatencyProfileName,
  type LatencyProfileName,
  latencyProfileNames,
} from '../latency/latency-profiles.ts';

/** What the command line asks for. */
export interface CommandLine {
  readonly port: number;
  readonly host: string;
  readonly allowOrigin: readonly string[];
  readonly lenient: boolean;
  readonly data?: string;
  readonly memory: boolean;
  readonly seed?: string;
  readonly concurrency?: number;
  readonly trainingSeconds?: number;
  readonly latencyProfile: LatencyProfileName;
  /** Rules; absent when chaos is off. */
  readonly chaos?: readonly string[];
  readonly showText: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

const defaultPort = 4010;

export const helpText = `speech-sandbox: the speech service on one machine

Usage: speech-sandbox [options]

  --port N              port to listen on, 0 for any free one (default ${defaultPort})
  --host ADDRESS        address to bind to (default 127.0.0.1)
  --data DIR            folder to keep state in; made when it is not there
  --memory              keep state in memory, which is so without --data too
  --seed FILE           accounts, voice models and prices to start with, beside the built-in ones
  --concurrency N       requests of one account that may be under way (default: what the seed data says, 50)
  --training-seconds N  how long the training of a full voice model takes (default 5)
  --allow-origin URL    origin that may call beside the loopback ones; may be repeated
  --lenient             accept what other clients of the interface send beyond the specification
  --latency-profile P   imitate how soon and how fast audio comes: ${latencyProfileNames.join(', ')} (default none)
  --chaos RULE          let answers go wrong, such as "POST /v1/tts status=503 times=2"; @FILE has a rule a line;
                        "on" obeys the request header x-sandbox-chaos alone; may be repeated
  --show-text           show the beginning of texts among the recent calls at /__sandbox/
  --help                show this text
  --version             show the version

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
      memory: { type: 'boolean', default: false },
      seed: { type: 'string' },
      concurrency: { type: 'string' },
      'training-seconds': { type: 'string' },
      'allow-origin': { type: 'string', multiple: true, default: [] },
      lenient: { type: 'boolean', default: false },
      'latency-profile': { type: 'string', default: 'none' },
      chaos: { type: 'string', multiple: true },
      'show-text': { type: 'boolean', default: false },
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
  if (values.data !== undefined && values.memory) {
    throw new Error('--data keeps state in a folder and --memory in memory: give one of them.');
  }
  const concurrency = readNumber('--concurrency', values.concurrency, /^[1-9]\d{0,5}$/, 'a number from 1');
  const trainingSeconds = readNumber(
    '--training-seconds',
    values['training-seconds'],
    /^\d{1,6}(\.\d+)?$/,
    'seconds',
  );
  return {
    port: readPort(values.port),
    host: values.host,
    allowOrigin,
    lenient: values.lenient,
    ...(values.data === undefined ? {} : { data: values.data }),
    memory: values.memory,
    ...(values.seed === undefined ? {} : { seed: values.seed }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(trainingSeconds === undefined ? {} : { trainingSeconds }),
    latencyProfile: readLatencyProfile(values['latency-profile']),
    ...(values.chaos === undefined ? {} : { chaos: readChaosOption(values.chaos) }),
    showText: values['show-text'],
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

function readLatencyProfile(given: string): LatencyProfileName {
  if (isLatencyProfileName(given)) return given;
  throw new Error(`--latency-profile takes ${latencyProfileNames.join(', ')}, not ${given}.`);
}

function readNumber(
  option: string,
  given: string | undefined,
  shape: RegExp,
  what: string,
): number | undefined {
  if (given === undefined) return undefined;
  if (shape.test(given)) return Number(given);
  throw new Error(`${option} takes ${what}, not ${given}.`);
}
