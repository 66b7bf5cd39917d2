import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTickets } from '@speech-api/relay';
import type { WebSocket } from 'ws';
import type { Row } from '../measure.ts';
import { type Server, startServer, ticketSecret } from '../processes.ts';
import { openSession } from './relay.ts';

const relayCount = 4;
const sessionCount = 4000;
const redisPort = 16_379;
/** Sessions that are being opened at a time. */
const callers = 16;
const leaseSeconds = 30;

const tickets = createTickets({ secret: ticketSecret });

/** Answers a command of redis-cli. */
async function askRedis(...words: string[]): Promise<string> {
  const child = spawn('redis-cli', ['-p', `${redisPort}`, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return Buffer.concat(await child.stdout.toArray()).toString();
}

async function figureOfRedis(section: string, name: string): Promise<number> {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(await askRedis('info', section))?.[1]);
}

async function startRedis(): Promise<AsyncDisposable> {
  const settings = ['--port', `${redisPort}`, '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir()];
  const child = spawn('redis-server', settings, { stdio: 'ignore' });
  await once(child, 'spawn');
  while (!(await askRedis('ping')).includes('PONG')) await sleep(100);
  // As if it had been running for long: a Redis that has just begun refuses tickets.
  await askRedis('set', '{speech-relay}:began', '0');
  return {
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Opens sessions of as many users, some at a time, spread over relays. */
async function openMany(relays: readonly Server[], count: number, first: number): Promise<WebSocket[]> {
  const numbers = Array.from({ length: count }, (_, index) => first + index).values();
  const sockets: WebSocket[] = [];
  const caller = async () => {
    for (const number of numbers) {
      const relay = relays[number % relays.length] as Server;
      sockets.push(await openSession(relay, await tickets.issue({ user: `user-${number}` })));
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return sockets;
}

const total = async (relays: readonly Server[], figure: 'memory' | 'processorTime') =>
  (await Promise.all(relays.map((relay) => relay[figure]()))).reduce((sum, each) => sum + each, 0);

export const scale: Row = {
  id: 'scale',
  what: `${relayCount} relays with ${sessionCount} sessions and one Redis, of which one relay is killed`,
  target: 'none is lost at the other relays; the places of the killed one are free after its lease',
  async measure() {
    await using _ = await startRedis();
    await using service = await startServer('service');
    const start = () => startServer('relay', service.url, `redis://127.0.0.1:${redisPort}`);
    const relays = await Promise.all(Array.from({ length: relayCount }, start));
    // The first session loads code, which no other has to.
    await openMany(relays, relayCount, 0);
    const [memory, time] = [await total(relays, 'memory'), await total(relays, 'processorTime')];
    const commands = await figureOfRedis('stats', 'total_commands_processed');
    const redisBytes = await figureOfRedis('memory', 'used_memory');
    const sockets = await openMany(relays, sessionCount, relayCount);
    const opened = {
      megabytes: (await total(relays, 'memory')) - memory,
      milliseconds: (await total(relays, 'processorTime')) - time,
      commands: (await figureOfRedis('stats', 'total_commands_processed')) - commands,
      redisMegabytes: ((await figureOfRedis('memory', 'used_memory')) - redisBytes) / 1e6,
    };
    const idleFrom = await total(relays, 'processorTime');
    await sleep(leaseSeconds * 1000);
    const idle = (await total(relays, 'processorTime')) - idleFrom;

    const [killed, ...others] = relays as [Server, ...Server[]];
    await killed[Symbol.asyncDispose]();
    await sleep(1000);
    const left = sockets.filter((socket) => socket.readyState === socket.OPEN).length;
    const again = await openMany(others, sessionCount / relayCount, sessionCount + relayCount);
    const reopened = again.filter((socket) => socket.readyState === socket.OPEN).length;
    await sleep(leaseSeconds * 1000);
    // Expired places leave when the next one is taken.
    await openMany(others, 1, 0);
    const [origin = ''] = (await askRedis('keys', '*places:origin*')).split('\n');
    const places = Number(await askRedis('zcard', origin));
    for (const relay of others) await relay[Symbol.asyncDispose]();
    const result = (variant: string, ours: number, unit: 'KB' | 'ms' | 'sessions' | 'commands') => ({
      variant,
      ours,
      unit,
      references: {},
      met: undefined,
    });
    return [
      result('memory of a session', (opened.megabytes * 1000) / sessionCount, 'KB'),
      result('processor time to open one', opened.milliseconds / sessionCount, 'ms'),
      result('commands of Redis to open one', opened.commands / sessionCount, 'commands'),
      result('memory of Redis for one', (opened.redisMegabytes * 1000) / sessionCount, 'KB'),
      result('processor time of one that idles for a minute', (2 * idle) / sessionCount, 'ms'),
      result('open at the other relays after one was killed', left, 'sessions'),
      result('opened again at the others', reopened, 'sessions'),
      result('places taken after the lease of the killed one', places, 'sessions'),
    ];
  },
};
