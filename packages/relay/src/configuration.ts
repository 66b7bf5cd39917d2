import { readFileSync } from 'node:fs';
import { defaultModel } from '@speech-api/types/constants';
import { defaultHost, defaultLimits, defaultPort, type RelayLimits } from './defaults.ts';
import type { RelayOperation } from './pass-through.ts';
import type { RelayOptions } from './relay.ts';
import { faultOfAddress, isLoopback } from './session.ts';
import { createTickets } from './tickets.ts';

/** A setting that is wrong. The message names it, and never shows a secret. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** What the program starts with. */
export type Configuration = Omit<RelayOptions, 'log'> & { readonly port: number; readonly host: string };

const passable: readonly RelayOperation[] = ['createSpeech', 'streamSpeechWithTimestamps'];

/** The settings that a file may contain, and the environment variable that overrides each. */
const settings = {
  webSocketUrl: {
    variable: 'SPEECH_WEBSOCKET_URL',
    help: 'address of the WebSocket API, such as wss://api.example.com',
  },
  operations: {
    variable: 'SPEECH_RELAY_OPERATIONS',
    help: `operations over HTTP besides: ${passable.join(', ')} [none]`,
  },
  baseUrl: { variable: 'SPEECH_BASE_URL', help: 'address of the HTTP API, needed for operations alone' },
  model: { variable: 'SPEECH_RELAY_MODEL', help: `the model of sessions [${defaultModel}]` },
  origins: {
    variable: 'SPEECH_RELAY_ORIGINS',
    help: 'origins of the pages that may come, separated by commas',
  },
  hosts: { variable: 'SPEECH_RELAY_HOSTS', help: 'names of this relay in Host, separated by commas' },
  authorize: {
    variable: 'SPEECH_RELAY_AUTHORIZE',
    help: 'ticket, or open: everybody, on this machine only [ticket]',
  },
  host: { variable: 'SPEECH_RELAY_HOST', help: `address to listen at [${defaultHost}]` },
  port: { variable: 'SPEECH_RELAY_PORT', help: `port, 0 for any [${defaultPort}]` },
} as const;

/** Secrets come from the environment alone. */
const secrets = {
  apiKey: { variable: 'SPEECH_API_KEY', help: 'the key of the service' },
  ticketSecret: {
    variable: 'SPEECH_RELAY_TICKET_SECRET',
    help: 'at least 32 bytes, shared with the application',
  },
} as const;

/** What `--help` prints. */
export const helpText: string = `speech-relay [--config FILE] [--help] [--version]

Lets browsers use live sessions of the speech service without its key.
Settings come from the environment, or by the names in brackets from a JSON file; the environment wins.
Limits (sessionsPerUser and so on, see the README) are in the file, under "limits".

${[...Object.entries(secrets), ...Object.entries(settings)]
  .map(([name, { variable, help }]) => {
    const label = name in settings ? `${variable} (${name})` : variable;
    return `  ${label.padEnd(40)} ${help}`;
  })
  .join('\n')}
  SPEECH_RELAY_CONFIG                      the file
`;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks all settings.
 *
 * @throws SettingError that names the setting which is missing or wrong
 */
export function readConfiguration(environment: Environment, configFile?: string): Configuration {
  const file = readFile(configFile ?? environment.SPEECH_RELAY_CONFIG);
  const limits = readLimits(file.limits);
  const read = (name: keyof typeof settings): Setting => {
    const { variable } = settings[name];
    const fromEnvironment = environment[variable];
    return fromEnvironment ? { value: fromEnvironment, label: variable } : { value: file[name], label: name };
  };
  const host = text(read('host'), defaultHost);
  const origins = list(read('origins'));
  if (origins.length === 0)
    throw missing(settings.origins.variable, 'the origins of the pages that may come');
  for (const origin of origins) checkOrigin(origin);
  const webSocketUrl = text(read('webSocketUrl'));
  if (webSocketUrl === '') throw missing(settings.webSocketUrl.variable, 'the address of the WebSocket API');
  const fault = faultOfAddress(webSocketUrl);
  if (fault !== undefined) throw new SettingError(`webSocketUrl ${fault}.`);
  const operations = list(read('operations')).map(checkOperation);
  const baseUrl = text(read('baseUrl'));
  const faultOfBase = operations.length > 0 ? faultOfAddress(baseUrl, 'http') : undefined;
  if (faultOfBase !== undefined) throw new SettingError(`baseUrl ${faultOfBase}.`);
  const apiKey = environment[secrets.apiKey.variable] ?? '';
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new SettingError(
      `${secrets.apiKey.variable} is missing, or has a character that no header can carry.`,
    );
  }
  return {
    upstream: {
      webSocketUrl: webSocketUrl.replace(/\/+$/, ''),
      apiKey,
      model: text(read('model'), defaultModel),
    },
    origins,
    hosts: list(read('hosts')),
    authorize: readAuthorize(
      text(read('authorize'), 'ticket'),
      host,
      environment[secrets.ticketSecret.variable],
    ),
    limits,
    host,
    port: readPort(read('port')),
  };
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
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new SettingError(
      `${path} cannot be read as JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SettingError(`${path} must hold an object.`);
  }
  for (const name of Object.keys(value)) {
    if (name in secrets) {
      const { variable } = secrets[name as keyof typeof secrets];
      throw new SettingError(`${name} is a secret and cannot be in ${path}; set ${variable}.`);
    }
    if (!(name in settings) && name !== 'limits') {
      throw new SettingError(
        `${name} in ${path} is unknown. Use ${Object.keys(settings).join(', ')} or limits.`,
      );
    }
  }
  return value as Record<string, unknown>;
}

function readAuthorize(kind: string, host: string, secret: string | undefined): RelayOptions['authorize'] {
  if (kind === 'open') {
    if (!isLoopback(host)) {
      throw new SettingError(
        `authorize "open" lets everybody spend the key; it needs a loopback host, not ${host}.`,
      );
    }
    return () => ({ user: 'everybody' });
  }
  if (kind !== 'ticket') throw new SettingError(`authorize is "${kind}"; use ticket or open.`);
  if (Buffer.byteLength(secret ?? '') < 32) {
    throw new SettingError(`${secrets.ticketSecret.variable} is missing or shorter than 32 bytes.`);
  }
  const tickets = createTickets({ secret: secret ?? '' });
  return ({ ticket }) => (ticket === undefined ? undefined : tickets.redeem(ticket));
}

function readLimits(value: unknown): Partial<RelayLimits> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null) throw new SettingError('limits must be an object.');
  for (const [name, limit] of Object.entries(value)) {
    if (!(name in defaultLimits)) {
      throw new SettingError(`limits.${name} is unknown. Use ${Object.keys(defaultLimits).join(', ')}.`);
    }
    if (typeof limit !== 'number' || !(limit > 0 && limit <= 1e9)) {
      throw new SettingError(
        `limits.${name} is ${JSON.stringify(limit)}; use a number above 0, up to 1000000000.`,
      );
    }
  }
  return value;
}

function readPort({ value = defaultPort, label }: Setting): number {
  const port = Number(value);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new SettingError(`${label} is ${JSON.stringify(value)}; use a whole number from 0 to 65535.`);
}

function text({ value, label }: Setting, fallback = ''): string {
  if (value === undefined) return fallback;
  if (typeof value !== 'string' || value.trim() === '')
    throw new SettingError(`${label} must be a string with something in it.`);
  return value.trim();
}

function list({ value = [], label }: Setting): string[] {
  const entries = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(entries) || !entries.every((entry) => typeof entry === 'string')) {
    throw new SettingError(`${label} must be a list of strings.`);
  }
  return entries.map((entry: string) => entry.trim()).filter((entry) => entry !== '');
}

function checkOperation(name: string): RelayOperation {
  const known = passable.find((operation) => operation === name);
  if (!known) throw new SettingError(`operations has "${name}"; use ${passable.join(' or ')}.`);
  return known;
}

function checkOrigin(origin: string): void {
  if (URL.canParse(origin) && new URL(origin).origin === origin.toLowerCase()) return;
  throw new SettingError(
    `origins has "${origin}"; use a scheme, a host and a port, such as https://app.example.`,
  );
}

function missing(variable: string, what: string): SettingError {
  return new SettingError(`${variable} is missing: ${what}.`);
}
