import { readFileSync } from 'node:fs';
import { defaultModel } from '@speech-api/types/constants';
import { defaultHost, defaultPort, limitTable } from './defaults.ts';
import type { RelayOptions } from './options.ts';
import type { RedisOptions } from './redis.ts';
import { parse, settingsSchema } from './schema.ts';
import type { RelayState } from './state.ts';
import { createTickets } from './tickets.ts';

/** Settings that the program starts with. */
export interface Configuration extends Omit<RelayOptions, 'authorize' | 'state' | 'metrics' | 'log'> {
  readonly port: number;
  readonly host: string;
  readonly metricsPort: number | undefined;
  /** A function, because the store of used tickets exists only after Redis is connected. */
  readonly authorizeWith: (state: RelayState | undefined) => RelayOptions['authorize'];
  readonly redis: Pick<RedisOptions, 'url' | 'whenUnavailable'> | undefined;
}

/** Format of a setting in the environment. */
type Kind = 'secret' | 'text' | 'list' | 'number' | 'json';

/** Every setting with its environment variable, its format and its help. */
const settings: Readonly<Record<string, readonly [variable: string, kind: Kind, help: string]>> = {
  apiKey: ['SPEECH_API_KEY', 'secret', 'the key of the service'],
  ticketSecret: ['SPEECH_RELAY_TICKET_SECRET', 'secret', 'at least 32 bytes, shared with the application'],
  redisUrl: ['SPEECH_RELAY_REDIS_URL', 'secret', 'redis://host, for relays that count together [none]'],
  webSocketUrl: ['SPEECH_WEBSOCKET_URL', 'text', 'the WebSocket API, such as wss://api.example.com'],
  model: ['SPEECH_RELAY_MODEL', 'text', `the model of sessions [${defaultModel}]`],
  origins: ['SPEECH_RELAY_ORIGINS', 'list', 'pages that may connect, such as https://app.example'],
  hosts: ['SPEECH_RELAY_HOSTS', 'list', 'names of this relay in the header Host, such as relay.example'],
  authorize: ['SPEECH_RELAY_AUTHORIZE', 'text', 'ticket, or open: anyone, on this machine only [ticket]'],
  host: ['SPEECH_RELAY_HOST', 'text', `address to listen at [${defaultHost}]`],
  port: ['SPEECH_RELAY_PORT', 'number', `port, 0 for any free one [${defaultPort}]`],
  metricsPort: ['SPEECH_RELAY_METRICS_PORT', 'number', 'port of /metrics; keep it private [none]'],
  redisDown: ['SPEECH_RELAY_REDIS_DOWN', 'text', 'refuse, or allow: each relay counts for itself [refuse]'],
  limits: [
    'SPEECH_RELAY_LIMITS',
    'json',
    'limits that differ from those below, such as {"sessionsPerUser": 5}',
  ],
};

const configVariable = 'SPEECH_RELAY_CONFIG';

/** The output of `--help`. */
export const helpText: string = `speech-relay [--config FILE] [--help] [--version]

Lets browsers use live sessions of the speech service without its key.
Settings come from the environment, or by the names in brackets from a JSON file; the environment takes precedence.
Lists are separated by commas in the environment.

${Object.entries(settings)
  .map(([name, [variable, kind, help]]) => {
    const label = kind === 'secret' ? variable : `${variable} (${name})`;
    return `  ${label.padEnd(40)} ${help}`;
  })
  .join('\n')}
  ${configVariable.padEnd(40)} the file, like --config

Limits:
${Object.entries(limitTable)
  .map(([name, [value, meaning]]) => `  ${name.padEnd(40)} ${meaning} [${value}]`)
  .join('\n')}
`;

/** The variable of a setting that was written like an option, such as `metrics-port`. */
export function variableOf(option: string): string | undefined {
  return settings[option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())]?.[0];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks all settings.
 *
 * @throws TypeError that names the settings which are missing, unknown or wrong, and shows no secret
 */
export function readConfiguration(environment: Environment, configFile?: string): Configuration {
  checkVariables(environment);
  const file = readFile(configFile ?? environment[configVariable]);
  const ofEnvironment = fromEnvironment(environment);
  const nameOf = (name: string): string =>
    name in file && !(name in ofEnvironment) ? name : (settings[name]?.[0] ?? name);
  const checked = parse(settingsSchema, { ...file, ...ofEnvironment }, nameOf);
  const { webSocketUrl, apiKey, model, redisUrl, redisDown, authorize, ticketSecret, ...rest } = checked;
  return {
    ...rest,
    metricsPort: rest.metricsPort,
    upstream: { webSocketUrl, apiKey, model },
    redis: redisUrl === undefined ? undefined : { url: redisUrl, whenUnavailable: redisDown },
    authorizeWith: (state) => {
      if (authorize === 'open' || ticketSecret === undefined) return () => ({ user: 'everybody' });
      const tickets = createTickets({ secret: ticketSecret, state });
      return ({ ticket }) => (ticket === undefined ? undefined : tickets.redeem(ticket));
    },
  };
}

/** A misspelt variable would otherwise be ignored. */
function checkVariables(environment: Environment): void {
  const names = [...Object.values(settings).map(([variable]) => variable), configVariable];
  for (const name of Object.keys(environment)) {
    // Kubernetes sets SPEECH_RELAY_SERVICE_HOST and the like for a service with the name speech-relay.
    const foreign = !name.startsWith('SPEECH_RELAY_') || /^SPEECH_RELAY_(?:SERVICE|PORT)_/.test(name);
    if (foreign || names.includes(name)) continue;
    throw new TypeError(`${name} is unknown. Use ${names.join(', ')}.`);
  }
}

function fromEnvironment(environment: Environment): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, [variable, kind]] of Object.entries(settings)) {
    const text = environment[variable]?.trim();
    if (text) values[name] = read(text, kind, variable);
  }
  return values;
}

function read(text: string, kind: Kind, variable: string): unknown {
  if (kind === 'list') {
    const entries = text.split(',').map((entry) => entry.trim());
    return entries.filter((entry) => entry !== '');
  }
  if (kind === 'number') return /^\d+$/.test(text) ? Number(text) : text;
  if (kind !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError(`${variable}: it is not JSON; write it like {"sessionsPerUser": 5}.`);
  }
}

function readFile(path: string | undefined): Readonly<Record<string, unknown>> {
  if (!path) return {};
  let value: unknown;
  try {
    // Some editors begin a file with a byte order mark.
    value = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new TypeError(`${path} cannot be read as JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${path} must hold an object.`);
  }
  for (const name of Object.keys(value)) {
    const [variable, kind] = settings[name] ?? [];
    if (kind === 'secret')
      throw new TypeError(`${name} is a secret and cannot be in ${path}; set ${variable}.`);
    if (kind === undefined) {
      throw new TypeError(`${name} in ${path} is unknown; speech-relay --help lists all settings.`);
    }
  }
  return value as Readonly<Record<string, unknown>>;
}
