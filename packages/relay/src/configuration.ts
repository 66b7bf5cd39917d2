import { readFileSync } from 'node:fs';
import { defaultModel } from '@speech-api/types/constants';
import { z } from 'zod';
import { defaultHost, defaultPort } from './defaults.ts';
import type { RelayOptions } from './options.ts';
import type { RedisOptions } from './redis.ts';
import { headerValue, isLoopback, parse, shared, upstream } from './schema.ts';
import type { RelayState } from './state.ts';
import { createTickets } from './tickets.ts';

export interface Configuration extends Omit<RelayOptions, 'authorize' | 'state' | 'metrics' | 'log'> {
  readonly port: number;
  readonly host: string;
  readonly metricsPort: number | undefined;
  /** A function, because the store of used tickets exists only after Redis is connected. */
  readonly authorizeWith: (state: RelayState | undefined) => RelayOptions['authorize'];
  readonly redis: Pick<RedisOptions, 'url' | 'whenUnavailable'> | undefined;
}

type Kind = 'secret' | 'text' | 'list' | 'number' | 'json';

/** A setting: its variable, its format there, what it accepts with its default, and its help. */
type Setting = readonly [variable: string, kind: Kind, accepts: z.ZodType, help: string];

const port = z
  .int('use a whole number from 0 to 65535; in Kubernetes, set enableServiceLinks: false')
  .min(0)
  .max(65_535);
const redisAddress = 'use an address such as redis://host:6379 or rediss://host:6379';
const secretAdvice = 'use at least 32 bytes, such as: openssl rand -hex 32';

const settings = {
  apiKey: ['SPEECH_API_KEY', 'secret', upstream.apiKey, 'the key of the service'],
  ticketSecret: [
    'SPEECH_RELAY_TICKET_SECRET',
    'secret',
    z
      .string()
      .refine((secret) => Buffer.byteLength(secret) >= 32, secretAdvice)
      .optional(),
    'at least 32 bytes, shared with the application',
  ],
  redisUrl: [
    'SPEECH_RELAY_REDIS_URL',
    'secret',
    z.url({ protocol: /^rediss?$/, error: redisAddress }).optional(),
    'redis://host, for relays that count together',
  ],
  webSocketUrl: [
    'SPEECH_WEBSOCKET_URL',
    'text',
    upstream.webSocketUrl,
    'the WebSocket API, such as wss://api.example.com',
  ],
  model: ['SPEECH_RELAY_MODEL', 'text', headerValue.default(defaultModel), 'the model of sessions'],
  origins: [
    'SPEECH_RELAY_ORIGINS',
    'list',
    shared.origins.min(1, 'name the origins of the pages, such as https://app.example'),
    'pages that may connect, such as https://app.example',
  ],
  hosts: [
    'SPEECH_RELAY_HOSTS',
    'list',
    shared.hosts,
    'names of this relay in the header Host, such as relay.example',
  ],
  authorize: [
    'SPEECH_RELAY_AUTHORIZE',
    'text',
    z.enum(['ticket', 'open']).default('ticket'),
    'ticket, or open: anyone, on this machine only',
  ],
  host: ['SPEECH_RELAY_HOST', 'text', z.string().min(1).default(defaultHost), 'address to listen at'],
  port: ['SPEECH_RELAY_PORT', 'number', port.default(defaultPort), 'port, 0 for any free one'],
  metricsPort: ['SPEECH_RELAY_METRICS_PORT', 'number', port.optional(), 'port of /metrics; keep it private'],
  redisDown: [
    'SPEECH_RELAY_REDIS_DOWN',
    'text',
    z.enum(['refuse', 'allow']).default('refuse'),
    'refuse, or allow: each relay counts for itself',
  ],
  limits: [
    'SPEECH_RELAY_LIMITS',
    'json',
    shared.limits,
    'limits that differ from those below, such as {"sessionsPerUser": 5}',
  ],
} as const satisfies Readonly<Record<string, Setting>>;

const settingOf = (name: string): Setting | undefined =>
  Object.entries<Setting>(settings).find(([setting]) => setting === name)?.[1];

type Accepted = { [Name in keyof typeof settings]: (typeof settings)[Name][2] };
const accepted = Object.fromEntries(
  Object.entries(settings).map(([name, [, , accepts]]) => [name, accepts]),
) as Accepted;

const settingsSchema = z
  .strictObject(accepted)
  .refine(({ authorize, ticketSecret }) => authorize === 'open' || ticketSecret !== undefined, {
    path: ['ticketSecret'],
    error: `missing; ${secretAdvice}`,
  })
  .refine(({ authorize, host: name }) => authorize === 'ticket' || isLoopback(name), {
    path: ['authorize'],
    error: `"open" lets everybody spend the key; use ticket, or the host ${defaultHost}`,
  });

export const configVariable = 'SPEECH_RELAY_CONFIG';

export function settingHelp(): (readonly [name: string, meaning: string])[] {
  return Object.entries<Setting>(settings).map(([name, [variable, kind, accepts, help]]) => {
    const { success, data } = accepts.safeParse(undefined);
    const usual = success && typeof data !== 'object' ? ` (default: ${data ?? 'none'})` : '';
    return [kind === 'secret' ? variable : `${variable} (${name})`, `${help}${usual}`];
  });
}

/** The variable of a setting that was written like an option, such as `metrics-port`. */
export function variableOf(option: string): string | undefined {
  return settingOf(option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))?.[0];
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
    name in file && !(name in ofEnvironment) ? name : (settingOf(name)?.[0] ?? name);
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
    const [variable, kind] = settingOf(name) ?? [];
    if (kind === 'secret')
      throw new TypeError(`${name} is a secret and cannot be in ${path}; set ${variable}.`);
    if (kind === undefined) {
      throw new TypeError(`${name} in ${path} is unknown; speech-relay --help lists all settings.`);
    }
  }
  return value as Readonly<Record<string, unknown>>;
}
