import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { readConfiguration } from './configuration.ts';

const secret = 'a secret of thirty-two bytes, or more';
const complete = {
  SPEECH_API_KEY: 'key-of-the-application',
  SPEECH_WEBSOCKET_URL: 'wss://api.example.com/speech/',
  SPEECH_RELAY_ORIGINS: 'https://app.example, http://localhost:4000',
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
    upstream: {
      webSocketUrl: 'wss://api.example.com/speech',
      apiKey: 'key-of-the-application',
      model: 's2-pro',
    },
    origins: ['https://app.example', 'http://localhost:4000'],
    host: '127.0.0.1',
    port: 4030,
    limits: {},
  });
});

test('a file holds the rest, and the environment wins over it', () => {
  const path = file(
    '\uFEFF{"port": 5000, "model": "s1", "hosts": ["relay.example"], "limits": {"idleSeconds": 5}}',
  );
  const read = readConfiguration({ ...complete, SPEECH_RELAY_PORT: '0', SPEECH_RELAY_CONFIG: path });
  expect(read).toMatchObject({ port: 0, hosts: ['relay.example'], limits: { idleSeconds: 5 } });
  expect(read.upstream.model).toBe('s1');
});

test.each([
  ['SPEECH_API_KEY', { SPEECH_API_KEY: '' }],
  ['SPEECH_API_KEY', { SPEECH_API_KEY: 'with\nbreak' }],
  ['SPEECH_WEBSOCKET_URL', { SPEECH_WEBSOCKET_URL: '' }],
  ['SPEECH_WEBSOCKET_URL must begin', { SPEECH_WEBSOCKET_URL: 'wss://me:pass@api.example.com' }],
  ['SPEECH_RELAY_TICKET_SECRET is missing; use at least 32 bytes', { SPEECH_RELAY_TICKET_SECRET: '' }],
  ['SPEECH_RELAY_ORIGINS', { SPEECH_RELAY_ORIGINS: '' }],
  [
    'https://app.example/path"; use https://app.example\\.$',
    { SPEECH_RELAY_ORIGINS: 'https://app.example/path' },
  ],
  ['SPEECH_RELAY_HOSTS has "https://relay.example"', { SPEECH_RELAY_HOSTS: 'https://relay.example' }],
  ['SPEECH_RELAY_TICKET_SECRET', { SPEECH_RELAY_TICKET_SECRET: 'short' }],
  ['SPEECH_RELAY_PORT', { SPEECH_RELAY_PORT: '70000' }],
  ['enableServiceLinks', { SPEECH_RELAY_PORT: 'tcp://10.0.0.1:4030' }],
  ['SPEECH_RELAY_METRICS_PORT', { SPEECH_RELAY_METRICS_PORT: 'yes' }],
  ['SPEECH_RELAY_MODEL', { SPEECH_RELAY_MODEL: 's2 pro' }],
  ['SPEECH_RELAY_OPERATIONS has "tts"; use createSpeech', { SPEECH_RELAY_OPERATIONS: 'tts' }],
  ['SPEECH_BASE_URL is missing: an address such as https:', { SPEECH_RELAY_OPERATIONS: 'createSpeech' }],
  ['SPEECH_RELAY_REDIS_URL', { SPEECH_RELAY_REDIS_URL: 'short.example:6379' }],
  ['use refuse or allow', { SPEECH_RELAY_REDIS_DOWN: 'ignore' }],
  ['SPEECH_RELAY_LIMITS must be an object', { SPEECH_RELAY_LIMITS: '5' }],
  ['SPEECH_RELAY_LIMITS: sessions is 1.5; use a whole number', { SPEECH_RELAY_LIMITS: '{"sessions": 1.5}' }],
  [
    'SPEECH_RELAY_ORIGIN is unknown. Use .*SPEECH_RELAY_ORIGINS',
    { SPEECH_RELAY_ORIGIN: 'https://a.example' },
  ],
  ['SPEECH_RELAY_AUTHORIZE is "all"', { SPEECH_RELAY_AUTHORIZE: 'all' }],
  ['use ticket, or the host 127.0.0.1', { SPEECH_RELAY_AUTHORIZE: 'open', SPEECH_RELAY_HOST: '0.0.0.0' }],
])('an error names %s: %j', (words, changes) => {
  expect(() => readConfiguration({ ...complete, ...changes })).toThrow(new RegExp(words));
  expect(() => readConfiguration({ ...complete, ...changes })).not.toThrow(/key-of-the|break|pass@|short/);
});

test.each([
  ['not JSON', 'relay.json'],
  ['[]', 'object'],
  ['{"prot": 1}', 'prot'],
  ['{"apiKey": "x"}', 'SPEECH_API_KEY'],
  ['{"origins": 5}', 'origins must be a list'],
  ['{"metricsPort": ""}', 'metricsPort'],
  ['{"redisUrl": "redis://a"}', 'SPEECH_RELAY_REDIS_URL'],
])('an error names what is wrong in the file %s', (content, words) => {
  const rest: Record<string, string> = { ...complete };
  if (content.includes('origins')) delete rest.SPEECH_RELAY_ORIGINS;
  expect(() => readConfiguration({ ...rest, SPEECH_RELAY_CONFIG: file(content) })).toThrow(new RegExp(words));
});

test('operations, limits, metrics and Redis come from the environment too', () => {
  const read = readConfiguration({
    ...complete,
    SPEECH_RELAY_OPERATIONS: 'createSpeech, streamSpeechWithTimestamps',
    SPEECH_BASE_URL: 'https://api.example.com/',
    SPEECH_RELAY_LIMITS: '{"sessionsPerUser": 5, "idleSeconds": 0.5}',
    SPEECH_RELAY_METRICS_PORT: '9464',
    SPEECH_RELAY_REDIS_URL: 'rediss://:password@redis.example',
    SPEECH_RELAY_REDIS_DOWN: 'allow',
    // Kubernetes sets these for a service with the name speech-relay.
    SPEECH_RELAY_SERVICE_HOST: '10.0.0.1',
    SPEECH_RELAY_PORT_4030_TCP_ADDR: '10.0.0.1',
  });
  expect(read).toMatchObject({
    upstream: { baseUrl: 'https://api.example.com' },
    operations: ['createSpeech', 'streamSpeechWithTimestamps'],
    limits: { sessionsPerUser: 5, idleSeconds: 0.5 },
    metricsPort: 9464,
    redis: { url: 'rediss://:password@redis.example', whenUnavailable: 'allow' },
  });
});

test('the program prints its address, answers, and ends on SIGTERM; wrong settings end it with 2', async () => {
  const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url));
  const env = { PATH: process.env.PATH, ...complete, SPEECH_RELAY_PORT: '0' };
  const program = spawn(process.execPath, [bin], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [line] = (await once(program.stdout, 'data')) as [Buffer];
  const health = await fetch(`${line.toString().trim()}/health`);
  expect(await health.json()).toEqual({ status: 'ok', sessions: 0 });
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);

  const wrong = spawn(process.execPath, [bin], {
    env: { ...env, SPEECH_API_KEY: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [words] = (await once(wrong.stderr, 'data')) as [Buffer];
  expect(words.toString()).toContain('SPEECH_API_KEY');
  if (wrong.exitCode === null) await once(wrong, 'exit');
  expect(wrong.exitCode).toBe(2);
});
