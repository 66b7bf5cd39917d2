import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { complete } from '@speech-api/config/suite';
import { expect, onTestFailed, onTestFinished, test } from 'vitest';
import { nothingKnown, verify } from './acknowledged.ts';
import { createRandom } from './random.ts';
import {
  mockBinary,
  type Report,
  relayBinary,
  type SandboxProcess,
  sandboxBinary,
  startProcess,
} from './sandbox-process.ts';
import type { Tally } from './soak/clients.ts';
import { writeWhile } from './writers.ts';

const minutes = Number(process.env.SOAK_MINUTES ?? (complete ? 3 : 0.5));
const seed = Number(process.env.SOAK_SEED ?? 1);
/** Times at which everything rests and is measured, after the first. */
const rests = minutes < 1 ? 2 : 6;
const mebibyte = 2 ** 20;
/** The clients keep nothing: a kilobyte for each call comes to more, even where a busy machine makes few calls. */
const mostGrownClients = Math.max(1, minutes / 4) * mebibyte;
/** The servers keep recent calls, what they have acknowledged and the counts of users. */
const mostGrownServers = 8 * mebibyte;
/** Of the logs of all processes, shown when the test fails. */
const keptLines = 100;
/** Tickets of the first five seconds of a Redis are refused, because clocks may differ. */
const redisStartMilliseconds = 6000;
const secret = 'a secret of thirty-two bytes, or more';
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A TCP connection between two processes that can be cut. */
async function startWire(upstream: string): Promise<{ readonly url: string; cut(): void }> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer((socket) => {
    const behind = keep(connect(Number(new URL(upstream).port), '127.0.0.1'));
    keep(socket).pipe(behind).pipe(socket);
    socket.on('close', () => behind.destroy());
    behind.on('close', () => socket.destroy());
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    cut();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut };
}

/** A Redis that forgets everything when it ends, and is there again on the same port. */
async function startRedis(folder: string) {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const start = async () => {
    const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder];
    const child = spawn('redis-server', settings, { stdio: 'ignore' });
    await once(child, 'spawn');
    return child;
  };
  let child = await start();
  const command = (...words: string[]) =>
    execFileSync('redis-cli', ['-p', `${port}`, ...words], { encoding: 'utf8' });
  await expect.poll(() => command('ping')).toBe('PONG\n');
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => child.kill('SIGKILL'),
    async start() {
      child = await start();
    },
    /** Sessions that count as open. */
    places: () =>
      command('keys', '*places*')
        .split('\n')
        .filter(Boolean)
        .reduce((sum, key) => sum + Number(command('zcard', key)), 0),
  };
}

const bars = '▁▂▃▄▅▆▇█';
function draw(figures: readonly number[]): string {
  const [least, most] = [Math.min(...figures), Math.max(...figures)];
  return figures.map((figure) => bars[Math.round(((figure - least) / (most - least || 1)) * 7)]).join('');
}

/** A table with a line for each figure of each process, drawn over time. */
function toTable(reports: Readonly<Record<string, readonly Report[]>>): string {
  const figures: readonly (readonly [string, (report: Report) => number])[] = [
    ['memory in use, MiB', ({ usedBytes }) => usedBytes / mebibyte],
    ['memory held, MiB', ({ heldBytes }) => heldBytes / mebibyte],
    ['open files', ({ files }) => files],
    ['handles', ({ handles }) => handles],
    ['longest delay of the event loop, ms', ({ delayMilliseconds }) => delayMilliseconds],
  ];
  const rows = Object.entries(reports).flatMap(([name, all]) =>
    figures.map(([what, of]) => {
      const drawn = all.map(of);
      const [first = 0, last = 0] = [drawn[0], drawn.at(-1)];
      return `| ${name} | ${what} | ${draw(drawn)} | ${first.toFixed(1)} | ${last.toFixed(1)} |`;
    }),
  );
  return ['| process | figure | at each rest | first | last |', '|---|---|---|---:|---:|', ...rows, ''].join(
    '\n',
  );
}

/** Every seventh answer of the mock is a fault until it ends, so its count may stay the same. */
const wholeOf = ({ mock: _, ...tallies }: Readonly<Record<string, Tally>>) =>
  Object.values(tallies).map(({ whole }) => whole);

test(`${minutes} minutes of a client of each kind under faults: nothing is lost, grows or stays occupied (SOAK_SEED=${seed})`, {
  timeout: (minutes + 10) * 60_000,
}, async () => {
  const random = createRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'speech-soak-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const running: SandboxProcess[] = [];
  onTestFinished(async () => {
    await Promise.all(running.map((each) => each.kill('SIGKILL')));
  });
  const log: string[] = [];
  onTestFailed(() => void process.stdout.write(`${log.join('\n')}\n`));
  const start = async (command: readonly string[], environment: Record<string, string> = {}) => {
    const onLog = (line: string) => {
      log.push(line);
      if (log.length > keptLines) log.shift();
    };
    const started = await startProcess(command, { environment, isMeasured: true, onLog });
    running.push(started);
    return started;
  };
  await writeFile(
    join(folder, 'seed.json'),
    JSON.stringify({
      accounts: [
        {
          key: 'soak-key',
          user: { _id: 'soak-user' },
          concurrency: 24,
          api_credit: { credit: '1000000.00' },
        },
      ],
    }),
  );
  const sandboxCommand = [
    sandboxBinary,
    '--port',
    '0',
    '--data',
    join(folder, 'data'),
    '--seed',
    join(folder, 'seed.json'),
  ];
  const sandbox = await start(sandboxCommand);
  const wire = await startWire(sandbox.url);
  const redis = await startRedis(folder);
  const relay = await start([relayBinary], {
    SPEECH_API_KEY: 'soak-key',
    SPEECH_WEBSOCKET_URL: wire.url.replace('http', 'ws'),
    SPEECH_RELAY_ORIGINS: 'https://app.example',
    SPEECH_RELAY_TICKET_SECRET: secret,
    SPEECH_RELAY_PORT: '0',
    SPEECH_RELAY_REDIS_URL: redis.url,
    SPEECH_RELAY_LIMITS: JSON.stringify({
      startsPerOriginAndMinute: 100_000,
      charactersPerOriginAndDay: 1e9,
    }),
  });
  await pause(redisStartMilliseconds);
  const mock = await start([mockBinary, '--port', '0', '--fault', 'POST /v1/tts status=503 every=7']);
  const program = fileURLToPath(new URL('soak/clients.ts', import.meta.url));
  const clients = await start([program, sandbox.url, wire.url, relay.url, mock.url, secret]);

  /** Refuses every write of the sandbox to a file: what a full disk does. */
  const setFileSize = (size: string) =>
    execFileSync('prlimit', ['--pid', `${sandbox.pid}`, `--fsize=${size}:`]);
  const faults: Readonly<Record<string, () => Promise<void>>> = {
    'engines killed': async () => {
      for (const pid of sandbox.engines()) process.kill(pid, 'SIGKILL');
    },
    'disk full': async () => {
      setFileSize('0');
      await pause(1000 + random() * 1000);
      setFileSize('unlimited');
    },
    'Redis gone': async () => {
      redis.kill();
      await pause(500 + random() * 2000);
      await redis.start();
    },
    'sockets cut': async () => wire.cut(),
  };

  const known = nothingKnown();
  const touched = new Set<string>();
  let acknowledged = 0;
  const reports: Record<string, Report[]> = { sandbox: [], relay: [], mock: [], clients: [] };
  const struck: Record<string, number> = {};
  let tallies: Readonly<Record<string, Tally>> = {};
  for (let rest = 0; rest <= rests; rest += 1) {
    let isWriting = true;
    const own = [...known.models.keys()];
    const writing = writeWhile(() => isWriting, {
      url: sandbox.url,
      random: createRandom(seed + rest),
      known,
      own,
      touched,
      mayBeRefused: true,
      onAcknowledged: () => {
        acknowledged += 1;
      },
    });
    await clients.ask('work');
    const until = Date.now() + (minutes * 60_000) / (rests + 1);
    while (Date.now() < until) {
      for (const [name, strike] of Object.entries(faults)) {
        await pause(1000 + random() * 4000);
        await strike();
        struck[name] = (struck[name] ?? 0) + 1;
      }
    }
    isWriting = false;
    await writing;
    tallies = await clients.ask<Record<string, Tally>>('rest');
    await verify(sandbox.url, known, touched);
    touched.clear();
    // The list of recent calls keeps the audio of a hundred.
    for (let call = 0; call < 120; call += 1)
      await (
        await fetch(`${sandbox.url}/model?page_size=1`, { headers: { authorization: 'Bearer soak-key' } })
      ).text();
    await expect.poll(redis.places, { timeout: 60_000 }).toBe(0);
    for (const [name, each] of Object.entries({ sandbox, relay, mock, clients }))
      reports[name]?.push(await each.ask('report'));
  }

  const table = toTable(reports);
  const counts = Object.entries(tallies).map(
    ([kind, { whole, refused }]) => `${kind}: ${whole} whole, ${JSON.stringify(refused)}`,
  );
  const told = `${minutes} minutes, seed ${seed}, ${acknowledged} acknowledged writes, ${JSON.stringify(struck)}\n\n${counts.join('\n')}\n\n${table}`;
  const out = fileURLToPath(new URL('../out/', import.meta.url));
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'soak.md'), told);
  process.stdout.write(told);

  expect(
    Object.entries(tallies).flatMap(([kind, { wrong }]) => wrong.map((what) => `${kind}: ${what}`)),
  ).toEqual([]);
  // Undisturbed, everybody is served at once.
  await pause(redisStartMilliseconds);
  const after = await clients.ask<Record<string, Tally>>('once');
  expect(wholeOf(after)).toEqual(wholeOf(tallies).map((whole) => whole + 1));
  for (const [name, all] of Object.entries(reports)) {
    // Threads and engines come and go: what grows is higher at each of the last rests.
    const grown = (of: (report: Report) => number) =>
      Math.min(...all.slice(2).slice(-3).map(of)) - Math.min(...all.slice(1, 2).map(of));
    expect(
      grown(({ usedBytes }) => usedBytes),
      `memory of ${name}`,
    ).toBeLessThan(name === 'clients' ? mostGrownClients : mostGrownServers);
    // A decoder that stayed for each odd file would hold gigabytes.
    expect(grown(({ heldBytes }) => heldBytes) / mebibyte, `memory held by ${name}`).toBeLessThan(256);
    expect(
      grown(({ files }) => files),
      `files of ${name}`,
    ).toBeLessThan(48);
    expect(
      grown(({ handles }) => handles),
      `handles of ${name}`,
    ).toBeLessThan(16);
  }
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      const headers = {
        authorization: 'Bearer soak-key',
        model: 's2-pro',
        'content-type': 'application/json',
      };
      const body = JSON.stringify({ text: 'A place for everybody.' });
      const answer = await fetch(`${sandbox.url}/v1/tts`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      expect(answer.status).toBe(200);
    }),
  );
  await sandbox.kill('SIGKILL');
  const again = await start(sandboxCommand);
  await verify(again.url, known, new Set(known.models.keys()));
});
