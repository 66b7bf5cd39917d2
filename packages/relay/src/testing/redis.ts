import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createClient } from '@redis/client';
import { onTestFinished } from 'vitest';
import { connectRedis, type RedisOptions } from '../redis.ts';
import type { RelayState } from '../state.ts';
import { createTickets } from '../tickets.ts';
import { type End, openPage, page, type Service, secretKey, startService } from './service.ts';

/** A real Redis, which forgets everything when it ends. */
export interface RedisProcess {
  readonly url: string;
  kill(): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  start(): Promise<void>;
  /** Makes it as if it had been running for long, so that it accepts every ticket; it forgets this when it ends. */
  runsForLong(): Promise<unknown>;
}

export async function startRedis(password?: string): Promise<RedisProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'relay-redis-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  let client = createClient();
  const redis: RedisProcess = {
    url: `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`,
    async start() {
      const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder];
      child = spawn(
        'redis-server',
        [...settings, ...(password === undefined ? [] : ['--requirepass', password])],
        { stdio: 'ignore' },
      );
      const failed = once(child, 'error').then(([error]) => {
        throw new Error('redis-server cannot be started; install it (Debian: redis-server)', {
          cause: error,
        });
      });
      client = createClient({ url: redis.url, socket: { reconnectStrategy: 50 } });
      client.on('error', () => {});
      await Promise.race([failed, client.connect()]);
    },
    runsForLong: () => client.set('{speech-relay}:began', 0),
    signal(name) {
      child?.kill(name);
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      client.destroy();
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
  onTestFinished(async () => {
    await redis.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await redis.start();
  await redis.runsForLong();
  return redis;
}

/** A relay as its operator runs it, in a process of its own. */
export type RelayProcess = Awaited<ReturnType<typeof startRelayProcess>>;

export const ticketSecret = 'a secret of thirty-two bytes, or more';

const binary = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));

/** @throws Error with the log of a relay that ends at once */
export async function startRelayProcess(service: Service, redisUrl: string, limits: object = {}) {
  const child = spawn(process.execPath, [binary], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      SPEECH_API_KEY: secretKey,
      SPEECH_WEBSOCKET_URL: service.url,
      SPEECH_RELAY_ORIGINS: page,
      SPEECH_RELAY_TICKET_SECRET: ticketSecret,
      SPEECH_RELAY_PORT: '0',
      SPEECH_RELAY_REDIS_URL: redisUrl,
      SPEECH_RELAY_LIMITS: JSON.stringify({ drainSeconds: 0.2, ...limits }),
    },
  });
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  const closed = once(child, 'close');
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await closed;
  };
  onTestFinished(() => kill('SIGKILL'));
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), closed]);
  if (typeof line !== 'string') throw new Error(log.join('\n'));
  return { url: line, log, kill };
}

export async function startTwoRelays(limits: object = {}) {
  const redis = await startRedis();
  const service = await startService();
  const start = (): Promise<RelayProcess> => startRelayProcess(service, redis.url, limits);
  return { redis, service, relays: await Promise.all([start(), start()]) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export const tickets = createTickets({ secret: ticketSecret });

export async function open(relay: Pick<RelayProcess, 'url'>, ticket?: string, user = 'anna'): Promise<End> {
  const protocols = ['speech-relay', `ticket.${ticket ?? (await tickets.issue({ user }))}`];
  return await openPage(relay, { protocols });
}

/** The first word of a relay: `ready`, or the code with which it refuses. */
export async function outcome(
  relay: Pick<RelayProcess, 'url'>,
  ticket?: string,
  user?: string,
): Promise<unknown> {
  const end = await open(relay, ticket, user);
  const first = await Promise.race([end.until('ready').then(() => 'ready'), end.closed]).catch(
    () => end.closed,
  );
  end.socket.close();
  return typeof first === 'string' ? first : first.code;
}

export async function connected(options: RedisOptions): Promise<RelayState> {
  const state = await connectRedis(options);
  onTestFinished(() => state.close());
  return state;
}

export async function ready(relay: Pick<RelayProcess, 'url'>): Promise<number> {
  return (await fetch(`${relay.url}/ready`)).status;
}
