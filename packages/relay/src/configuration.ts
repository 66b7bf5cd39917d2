import { readFileSync } from 'node:fs';
import { defaultModel } from '@speech-api/types/constants';
import { defaultHost, defaultLimits, defaultPort, type RelayLimits } from './defaults.ts';
import { faultOfHost, faultOfOrigin, isHeaderValue } from './http.ts';
import { faultOfLimits, type RelayOptions } from './options.ts';
import { passableOperations } from './pass-through.ts';
import type { RedisOptions } from './redis.ts';
import { faultOfAddress, isLoopback, withoutSlash } from './session.ts';
import type { RelayState } from './state.ts';
import { createTickets } from './tickets.ts';

/** A setting that is wrong. The message names it, and never shows a secret. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** What the program starts with. */
export interface Configuration extends Omit<RelayOptions, 'authorize' | 'state' | 'metrics' | 'log'> {
  readonly port: number;
  readonly host: string;
  readonly metricsPort: number | undefined;
  /** Where used tickets are remembered is known only when Redis is connected. */
  readonly authorizeWith: (state: RelayState | undefined) => RelayOptions['authorize'];
  readonly redis: Pick<RedisOptions, 'url' | 'whenUnavailable'> | undefined;
}

/** The settings that a file may contain, and the environment variable that overrides each. */
const settings = {
  webSocketUrl: {
    variable: 'SPEECH_WEBSOCKET_URL',
    help: 'address of the WebSocket API, such as wss://api.example.com',
  },
  operations: {
    variable: 'SPEECH_RELAY_OPERATIONS',
    help: `operations over HTTP besides: ${passableOperations.join(', ')} [none]`,
  },
  baseUrl: { variable: 'SPEECH_BASE_URL', help: 'address of the HTTP API, needed for operations alone' },
  model: { variable: 'SPEECH_RELAY_MODEL', help: `the model of sessions [${defaultModel}]` },
  origins: {
    variable: 'SPEECH_RELAY_ORIGINS',
    help: 'origins of the pages that may come, such as https://app.example',
  },
  hosts: {
    variable: 'SPEECH_RELAY_HOSTS',
    help: 'names of this relay in the header Host, such as relay.example',
  },
  authorize: {
    variable: 'SPEECH_RELAY_AUTHORIZE',
    help: 'ticket, or open: everybody, on this machine only [ticket]',
  },
  host: { variable: 'SPEECH_RELAY_HOST', help: `address to listen at [${defaultHost}]` },
  port: { variable: 'SPEECH_RELAY_PORT', help: `port, 0 for any [${defaultPort}]` },
  metricsPort: {
    variable: 'SPEECH_RELAY_METRICS_PORT',
    help: 'port of /metrics for Prometheus, not to be published [none]',
  },
  redisDown: {
    variable: 'SPEECH_RELAY_REDIS_DOWN',
    help: 'while Redis is down: refuse, or allow: each relay counts for itself [refuse]',
  },
  limits: {
    variable: 'SPEECH_RELAY_LIMITS',
    help: 'limits that are not the defaults below, such as {"sessionsPerUser": 5}',
  },
} as const;

/** Secrets come from the environment alone. */
const secrets = {
  apiKey: { variable: 'SPEECH_API_KEY', help: 'the key of the service' },
  ticketSecret: {
    variable: 'SPEECH_RELAY_TICKET_SECRET',
    help: 'at least 32 bytes, shared with the application',
  },
  redisUrl: {
    variable: 'SPEECH_RELAY_REDIS_URL',
    help: 'redis://host or rediss://host, for relays that count together [none]',
  },
} as const;

const configVariable = 'SPEECH_RELAY_CONFIG';

/** What `--help` prints. */
export const helpText: string = `speech-relay [--config FILE] [--help] [--version]

Lets browsers use live sessions of the speech service without its key.
Settings come from the environment, or by the names in brackets from a JSON file; the environment takes precedence.
Lists are separated by commas in the environment.

${[...Object.entries(secrets), ...Object.entries(settings)]
  .map(([name, { variable, help }]) => {
    const label = name in settings ? `${variable} (${name})` : variable;
    return `  ${label.padEnd(40)} ${help}`;
  })
  .join('\n')}
  ${configVariable.padEnd(40)} the file, like --config

Limits:
${Object.entries(defaultLimits)
  .map(([name, value]) => `  ${name.padEnd(40)} ${value}`)
  .join('\n')}
`;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks all settings.
 *
 * @throws SettingError that names the setting which is missing or wrong
 */
export function readConfiguration(environment: Environment, configFile?: string): Configuration {
  checkNames(environment);
  const file = readFile(configFile ?? environment[configVariable]);
  const read = (name: keyof typeof settings): Setting => {
    const { variable } = settings[name];
    const fromEnvironment = environment[variable];
    return fromEnvironment
      ? { value: fromEnvironment, label: variable }
      : { value: file[name], label: name in file ? name : variable };
  };
  const host = text(read('host'), defaultHost);
  const operations = choices(read('operations'), passableOperations);
  const redisUrl = environment[secrets.redisUrl.variable];
  if (redisUrl && !(URL.canParse(redisUrl) && /^rediss?:$/.test(new URL(redisUrl).protocol))) {
    throw new SettingError(
      `${secrets.redisUrl.variable} must be an address such as redis://host:6379 or rediss://host:6379.`,
    );
  }
  const whenUnavailable = choice(read('redisDown'), ['refuse', 'allow']);
  const metrics = read('metricsPort');
  return {
    upstream: {
      webSocketUrl: address(read('webSocketUrl'), 'ws'),
      ...(operations.length > 0 && { baseUrl: address(read('baseUrl'), 'http') }),
      apiKey: headerValue({ value: environment[secrets.apiKey.variable], label: secrets.apiKey.variable }),
      model: headerValue(read('model'), defaultModel),
    },
    origins: readOrigins(read('origins')),
    hosts: readHosts(read('hosts')),
    operations,
    authorizeWith: readAuthorize(read('authorize'), host, environment[secrets.ticketSecret.variable]),
    limits: readLimits(read('limits')),
    host,
    port: readPort(read('port')),
    metricsPort: metrics.value === undefined ? undefined : readPort(metrics),
    redis: redisUrl ? { url: redisUrl, whenUnavailable } : undefined,
  };
}

/** A name that is almost right would be ignored otherwise. */
function checkNames(environment: Environment): void {
  const known = [...Object.values(settings), ...Object.values(secrets)].map(({ variable }) => variable);
  for (const name of Object.keys(environment)) {
    // Kubernetes sets SPEECH_RELAY_SERVICE_HOST and the like for a service with the name speech-relay.
    const foreign = !name.startsWith('SPEECH_RELAY_') || /^SPEECH_RELAY_(?:SERVICE|PORT)_/.test(name);
    if (foreign || name === configVariable || known.some((variable) => variable === name)) continue;
    const own = known.filter((variable) => variable.startsWith('SPEECH_RELAY_'));
    throw new SettingError(`${name} is unknown. Use ${own.join(', ')} or ${configVariable}.`);
  }
}

interface Setting {
  readonly value: unknown;
  /** As the reader wrote it. */
  readonly label: string;
}

function readFile(path: string | undefined): Readonly<Record<string, unknown>> {
  if (!path) return {};
  let value: unknown;
  try {
    // Some editors begin a file with a byte order mark.
    value = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new SettingError(
      `${path} cannot be read as JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (!isObject(value)) throw new SettingError(`${path} must hold an object.`);
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(secrets, name)) {
      const { variable } = secrets[name as keyof typeof secrets];
      throw new SettingError(`${name} is a secret and cannot be in ${path}; set ${variable}.`);
    }
    if (!Object.hasOwn(settings, name)) {
      throw new SettingError(`${name} in ${path} is unknown. Use ${Object.keys(settings).join(', ')}.`);
    }
  }
  return value;
}

function readAuthorize(
  setting: Setting,
  host: string,
  secret: string | undefined,
): Configuration['authorizeWith'] {
  if (choice(setting, ['ticket', 'open']) === 'open') {
    if (!isLoopback(host)) {
      throw new SettingError(
        `${setting.label} "open" lets everybody spend the key, and the relay listens at ${host}; ` +
          `use ticket, or the host ${defaultHost}.`,
      );
    }
    return () => () => ({ user: 'everybody' });
  }
  if (Buffer.byteLength(secret ?? '') < 32) {
    const { variable } = secrets.ticketSecret;
    const fault = secret ? `has ${Buffer.byteLength(secret)} bytes` : 'is missing';
    throw new SettingError(
      `${variable} ${fault}; use at least 32 bytes, such as those of: openssl rand -hex 32`,
    );
  }
  return (state) => {
    const tickets = createTickets({ secret: secret ?? '', state });
    return ({ ticket }) => (ticket === undefined ? undefined : tickets.redeem(ticket));
  };
}

function readLimits({ value, label }: Setting): Partial<RelayLimits> {
  if (value === undefined) return {};
  const limits = typeof value === 'string' ? parseJson(value) : value;
  if (!isObject(limits)) throw new SettingError(`${label} must be an object such as {"sessionsPerUser": 5}.`);
  const fault = faultOfLimits(limits);
  if (fault !== undefined) throw new SettingError(`${label}: ${fault}.`);
  return limits;
}

function readPort({ value = defaultPort, label }: Setting): number {
  const port = Number(value);
  if (Number.isInteger(port) && port >= 0 && port < 65_536 && value !== '') return port;
  // What Kubernetes sets for a service with the name speech-relay.
  const hint = String(value).startsWith('tcp://') ? ' In Kubernetes, set enableServiceLinks: false.' : '';
  throw new SettingError(`${label} is ${JSON.stringify(value)}; use a whole number from 0 to 65535.${hint}`);
}

function readOrigins(setting: Setting): string[] {
  const origins = list(setting);
  if (origins.length === 0) {
    throw new SettingError(
      `${setting.label} is missing: the origins of the pages that may come, such as https://app.example.`,
    );
  }
  for (const origin of origins) checkEntry(setting, origin, faultOfOrigin(origin));
  return origins;
}

function readHosts(setting: Setting): string[] {
  const hosts = list(setting);
  for (const host of hosts) checkEntry(setting, host, faultOfHost(host));
  return hosts;
}

function checkEntry({ label }: Setting, entry: string, fault: string | undefined): void {
  if (fault !== undefined) throw new SettingError(`${label} has "${entry}"; ${fault}.`);
}

function text({ value, label }: Setting, fallback?: string): string {
  if (value === undefined && fallback !== undefined) return fallback;
  if (value === undefined || value === '') throw new SettingError(`${label} is missing.`);
  if (typeof value !== 'string' || value.trim() === '')
    throw new SettingError(`${label} must be a string with something in it.`);
  return value.trim();
}

function address(setting: Setting, scheme: 'ws' | 'http'): string {
  if (setting.value === undefined) {
    throw new SettingError(`${setting.label} is missing: an address such as ${scheme}s://api.example.com.`);
  }
  const value = text(setting);
  const fault = faultOfAddress(value, scheme);
  if (fault !== undefined) throw new SettingError(`${setting.label} ${fault}.`);
  return withoutSlash(value);
}

/** The value is not shown: it may be the key. */
function headerValue(setting: Setting, fallback?: string): string {
  const value = text(setting, fallback);
  if (isHeaderValue(value)) return value;
  throw new SettingError(`${setting.label} has a character that no header can carry.`);
}

/** The first of the allowed values is the default. */
function choice<Value extends string>(setting: Setting, allowed: readonly [Value, ...Value[]]): Value {
  const value = text(setting, allowed[0]);
  const found = allowed.find((known) => known === value);
  if (found === undefined) {
    throw new SettingError(`${setting.label} is "${value}"; use ${allowed.join(' or ')}.`);
  }
  return found;
}

function choices<Value extends string>(setting: Setting, allowed: readonly Value[]): Value[] {
  return list(setting).map((entry) => {
    const found = allowed.find((known) => known === entry);
    if (found === undefined) {
      throw new SettingError(`${setting.label} has "${entry}"; use ${allowed.join(' or ')}.`);
    }
    return found;
  });
}

function list({ value = [], label }: Setting): string[] {
  const entries = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(entries) || !entries.every((entry) => typeof entry === 'string')) {
    throw new SettingError(`${label} must be a list of strings.`);
  }
  return entries.map((entry: string) => entry.trim()).filter((entry) => entry !== '');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
