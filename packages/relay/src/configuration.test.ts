import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { readConfiguration } from './configuration.ts';
import { createRelay } from './relay.ts';
import { optionsSchema, parse } from './schema.ts';
import { startRelay } from './start-relay.ts';
import { page, secretKey } from './testing/service.ts';
import { createTickets } from './tickets.ts';

const secret = 'a secret of thirty-two bytes, or more';
const complete = {
  SPEECH_API_KEY: secretKey,
  SPEECH_WEBSOCKET_URL: 'wss://api.example.com/speech/',
  SPEECH_RELAY_ORIGINS: 'https://app.example, http://localhost:4000, tauri://localhost',
  SPEECH_RELAY_TICKET_SECRET: secret,
};

function file(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'relay-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'relay.json'), content);
  return join(folder, 'relay.json');
}

test('the environment is enough, and the defaults are those of the README', () => {
  expect(readConfiguration(complete)).toMatchObject({
    upstream: { webSocketUrl: 'wss://api.example.com/speech', apiKey: secretKey, model: 's2-pro' },
    origins: ['https://app.example', 'http://localhost:4000', 'tauri://localhost'],
    host: '127.0.0.1',
    port: 4030,
    limits: { sessionsPerUser: 3 },
    redis: undefined,
  });
});

test('a file holds the rest, and the environment wins over it', () => {
  const path = file(
    '\uFEFF{"port": 5000, "model": "s1", "hosts": ["relay.example"], "limits": {"idleSeconds": 5}}',
  );
  const read = readConfiguration({ ...complete, SPEECH_RELAY_PORT: '0', SPEECH_RELAY_CONFIG: path });
  expect(read).toMatchObject({
    port: 0,
    hosts: ['relay.example'],
    limits: { idleSeconds: 5, sessions: 2000 },
  });
  expect(read.upstream.model).toBe('s1');
});

test('a key may end in a line break, as files do', () => {
  const { upstream } = readConfiguration({ ...complete, SPEECH_API_KEY: `${secretKey}\r\n` });
  expect(upstream.apiKey).toBe(secretKey);
  const changed = { ...options, upstream: { ...options.upstream, apiKey: `${secretKey}\n` } };
  expect(parse(optionsSchema, changed).upstream.apiKey).toBe(secretKey);
});

test('limits, metrics and Redis come from the environment too', () => {
  const read = readConfiguration({
    ...complete,
    SPEECH_RELAY_LIMITS: '{"sessionsPerUser": 5, "idleSeconds": 0.5}',
    SPEECH_RELAY_METRICS_PORT: '9464',
    SPEECH_RELAY_REDIS_URL: 'rediss://:password@redis.example',
    SPEECH_RELAY_REDIS_DOWN: 'allow',
    // Kubernetes sets these for a service with the name speech-relay.
    SPEECH_RELAY_SERVICE_HOST: '10.0.0.1',
    SPEECH_RELAY_PORT_4030_TCP_ADDR: '10.0.0.1',
  });
  expect(read).toMatchObject({
    limits: { sessionsPerUser: 5, idleSeconds: 0.5 },
    metricsPort: 9464,
    redis: { url: 'rediss://:password@redis.example', whenUnavailable: 'allow' },
  });
});

test.each([
  ['SPEECH_API_KEY: missing', { SPEECH_API_KEY: '' }],
  ['SPEECH_API_KEY: use ASCII', { SPEECH_API_KEY: 'with\nbreak' }],
  ['SPEECH_WEBSOCKET_URL: must begin', { SPEECH_WEBSOCKET_URL: 'wss://me:pass@api.example.com' }],
  ['SPEECH_RELAY_TICKET_SECRET: missing; use at least 32 bytes', { SPEECH_RELAY_TICKET_SECRET: '' }],
  ['SPEECH_RELAY_TICKET_SECRET: use at least 32', { SPEECH_RELAY_TICKET_SECRET: 'short' }],
  ['SPEECH_RELAY_PORT: .*enableServiceLinks', { SPEECH_RELAY_PORT: 'tcp://10.0.0.1:4030' }],
  ['SPEECH_RELAY_REDIS_URL: use an address', { SPEECH_RELAY_REDIS_URL: 'short.example:6379' }],
  ['SPEECH_RELAY_LIMITS.sessions: .* expected int', { SPEECH_RELAY_LIMITS: '{"sessions": 1.5}' }],
  ['SPEECH_RELAY_ORIGINS: name the origins', { SPEECH_RELAY_ORIGINS: ',' }],
  ['SPEECH_RELAY_ORIGIN is unknown. Use .*SPEECH_RELAY_ORIGINS', { SPEECH_RELAY_ORIGIN: page }],
  ['SPEECH_RELAY_AUTHORIZE: .*"ticket"|"open"', { SPEECH_RELAY_AUTHORIZE: 'all' }],
  ['use ticket, or the host 127.0.0.1', { SPEECH_RELAY_AUTHORIZE: 'open', SPEECH_RELAY_HOST: '0.0.0.0' }],
  ['prot in .* is unknown', { SPEECH_RELAY_CONFIG: '{"prot": 1}' }],
  ['set SPEECH_API_KEY', { SPEECH_RELAY_CONFIG: '{"apiKey": "short"}' }],
  ['^port: use a whole number from 0 to 65535', { SPEECH_RELAY_CONFIG: '{"port": 70000}' }],
])('an error names %s: %j', (words, changes) => {
  const content = 'SPEECH_RELAY_CONFIG' in changes ? changes.SPEECH_RELAY_CONFIG : undefined;
  const environment = { ...complete, ...changes, ...(content && { SPEECH_RELAY_CONFIG: file(content) }) };
  expect(() => readConfiguration(environment)).toThrow(new RegExp(words));
  expect(() => readConfiguration(environment)).not.toThrow(/the-key|break|pass@|short/);
});

const options = {
  upstream: { webSocketUrl: 'wss://api.example.com', apiKey: secretKey, model: 's2-pro' },
  origins: [page],
  authorize: () => undefined,
};
const upstream = (changes: object): object => ({ upstream: { ...options.upstream, ...changes } });

test.each([
  ['limits.sessionsPerUser: .*received NaN', { limits: { sessionsPerUser: Number.NaN } }],
  ['limits: Unrecognized key: "characterPerSession"', { limits: { characterPerSession: 5 } }],
  ['limits.idleSeconds: .* <=2147483', { limits: { idleSeconds: 2_147_484 } }],
  ['authorize: use a function', { authorize: undefined }],
  ['upstream.apiKey: use ASCII', upstream({ apiKey: `${secretKey}\nx` })],
  ['upstream.webSocketUrl: must begin with wss', upstream({ webSocketUrl: 'ws://api.example.com' })],
  ['upstream.webSocketUrl: must begin', upstream({ webSocketUrl: `wss://me:${secretKey}@a.example` })],
  ['must not end in /v1/tts/live', upstream({ webSocketUrl: 'wss://a.example/v1/tts/live' })],
  ['origins\\[0\\]: use https://app.example$', { origins: ['https://app.example/'] }],
  ['origins\\[0\\]: use a scheme', { origins: ['app.example'] }],
  // Any page can have this origin.
  ['origins\\[0\\]: use a scheme', { origins: ['null'] }],
  ['hosts\\[0\\]: use a name without scheme and port', { hosts: ['app.example:3000'] }],
])('security: an option that cannot work is refused at the start: %s', async (message, wrong) => {
  const changed = { ...options, ...wrong } as unknown as typeof options;
  for (const start of [async () => createRelay(changed), () => startRelay(changed)]) {
    const error = (await start().catch((thrown: Error) => thrown)) as Error;
    expect(error.message).toMatch(new RegExp(message));
    expect(error.message).not.toContain(secretKey);
  }
});

test.each([
  ['characters: .* received NaN', { characters: Number.NaN }],
  ['characters: .* received null', { characters: null }],
  ['voices: .* expected array, received string', { voices: 'alba' }],
  ['use fewer voices$', { voices: Array(1000).fill('a voice') }],
  ['formats: .* expected array', { formats: 'mp3' }],
  ['model: use ASCII characters', { model: 's1\r\nx-evil: 1' }],
  ['references: .* expected boolean', { references: 'false' }],
  ['Unrecognized key: "character"', { character: 20 }],
  ['^user: ', { user: '' }],
])('security: a ticket that would be no limit is not issued: %s', async (message, wrong) => {
  const tickets = createTickets({ secret });
  const grant = { user: 'anna', ...wrong } as unknown as { user: string };
  await expect(tickets.issue(grant)).rejects.toThrow(new RegExp(message));
});

const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url));
const environment = { PATH: process.env.PATH, ...complete, SPEECH_RELAY_PORT: '0' };

test('the program prints its address, answers though its log cannot be written, and ends on SIGTERM', async () => {
  const program = spawn(process.execPath, [bin], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  program.stderr.destroy();
  const [line] = (await once(program.stdout, 'data')) as [Buffer];
  const health = await fetch(`${line.toString().trim()}/health`);
  expect(await health.json()).toEqual({ status: 'ok', sessions: 0 });
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
});

test('a start that cannot work ends the program, and names the setting', async () => {
  const fail = (changes: object, ...options: string[]): object =>
    spawnSync(process.execPath, [bin, ...options], { env: { ...environment, ...changes }, encoding: 'utf8' });
  const stderr = (words: RegExp): unknown => expect.stringMatching(words);
  expect(fail({ SPEECH_API_KEY: '' })).toMatchObject({
    status: 2,
    stderr: stderr(/^speech-relay: SPEECH_API_KEY: /),
  });
  expect(fail({}, '--port', '1')).toMatchObject({
    status: 2,
    stderr: stderr(/--port.* set SPEECH_RELAY_PORT\)/),
  });
  expect(fail({}, '--port=1')).toMatchObject({ status: 2, stderr: stderr(/SPEECH_RELAY_PORT/) });
  expect(fail({}, '--loud')).toMatchObject({ status: 2, stderr: stderr(/--loud/) });
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const port = String((taken.address() as AddressInfo).port);
  for (const name of ['SPEECH_RELAY_PORT', 'SPEECH_RELAY_METRICS_PORT']) {
    const words = stderr(new RegExp(`Port ${port} is in use.* with ${name}, or 0`));
    expect(fail({ [name]: port })).toMatchObject({ status: 1, stderr: words });
  }
});
