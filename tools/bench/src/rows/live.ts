import { setTimeout as sleep } from 'node:timers/promises';
import { decode, encode } from '@msgpack/msgpack';
import { createSpeechClient } from '@speech-api/client';
import type { LiveRequest } from '@speech-api/live';
import { startSandbox } from '@speech-api/sandbox';
import { WebSocket } from 'ws';
import { interleave } from '../measure/interleave.ts';
import { withParts } from '../measure/live-parts.ts';
import type { Row } from '../row.ts';

type Live = typeof import('@speech-api/live');

// Node's entry has ws; the one for all other runtimes has the socket that is built in.
const entry = import.meta.resolve('@speech-api/live');
const withWs: Live = await import(entry);
const withBuiltIn: Live = await import(new URL('./index.js', entry).href);

const frames = 20_000;
const frameBytes = 4096;
const asked = `${frameBytes}x${frames}`;

export const liveFrames: Row = {
  id: 'live-frames',
  what: 'live: audio frames of 4 KB received and decoded',
  target: '>= 120 000 a second with ws, >= 90 000 with the built-in socket',
  measure: () =>
    withParts(async ({ direct: { url } }) => {
      const measured = await interleave(
        {
          ws: () => readFrames(withWs, url),
          builtIn: () => readFrames(withBuiltIn, url),
          bare: () => readBare(url, (data) => (decode(data) as { audio: Uint8Array }).audio.length),
          raw: () => readBare(url, (data) => data.length),
        },
        7,
      );
      const reference = { name: 'bare ws and @msgpack/msgpack', value: measured.bare };
      const peers = [{ name: 'bare ws, nothing decoded', value: measured.raw }];
      // Where bare ws does not reach it either, the machine is the limit.
      const met = (ours: number, target: number) =>
        ours >= target || (measured.raw >= target ? false : undefined);
      return [
        {
          variant: 'ws',
          ours: measured.ws,
          unit: 'a second',
          reference,
          peers,
          met: met(measured.ws, 120_000),
        },
        {
          variant: 'built-in socket',
          ours: measured.builtIn,
          unit: 'a second',
          reference,
          peers,
          met: met(measured.builtIn, 90_000),
        },
      ];
    }),
};

/** Frames a second, read as a caller does. */
async function readFrames({ connectLive }: Live, url: string): Promise<number> {
  const client = createSpeechClient({
    apiKey: 'bench-key',
    baseUrl: url.replace('ws', 'http'),
    model: 's2-pro',
  });
  const connection = await connectLive(client, { format: 'pcm' });
  const speech = connection.speak();
  const begin = performance.now();
  await speech.write(asked);
  let left = frames * frameBytes;
  for await (const audio of speech) {
    left -= audio.length;
    if (left <= 0) break;
  }
  connection.close();
  return (frames * 1000) / (performance.now() - begin);
}

/** The same with as little as there can be in between. */
async function readBare(url: string, lengthOf: (data: Buffer) => number): Promise<number> {
  const socket = await openBare(url);
  const begin = performance.now();
  await new Promise<void>((resolve) => {
    let left = frames * frameBytes;
    socket.on('message', (data: Buffer) => {
      left -= lengthOf(data);
      if (left <= 0) resolve();
    });
    socket.send(encode({ event: 'text', text: asked }));
  });
  socket.terminate();
  return (frames * 1000) / (performance.now() - begin);
}

async function openBare(url: string): Promise<WebSocket> {
  const headers = { authorization: 'Bearer sandbox-key', model: 's2-pro' };
  const socket = new WebSocket(`${url}/v1/tts/live`, { headers, perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return socket;
}

const clause = 'Well, that is a good question, ';
const rest = 'and I will think about it until tomorrow.';
const request: LiveRequest = { format: 'pcm', sample_rate: 24_000 };

export const liveFirstAudio: Row = {
  id: 'live-first-audio',
  what: 'live: from the end of the first full clause to its first audio, from the sandbox',
  target: '<= 400 ms when tokens come every 30 ms; our share at most 5 ms',
  async measure() {
    const sandbox = await startSandbox({ port: 0 });
    try {
      const url = sandbox.url.replace('http', 'ws');
      const client = createSpeechClient({ baseUrl: sandbox.url, apiKey: 'sandbox-key', model: 's2-pro' });
      const connect = () => withWs.connectLive(client, request);
      const warm = await connect();
      const rounds = 9;
      const results = [];
      for (const [variant, contenders] of [
        [
          'tokens every 30 ms',
          {
            ours: async () => firstOfOurs(warm, tokens),
            bare: async () => firstOfBare(await openBare(url), tokens),
          },
        ],
        [
          'whole clause, warm connection',
          {
            ours: async () => firstOfOurs(warm, atOnce),
            bare: async () => firstOfBare(await openBare(url), atOnce),
          },
        ],
        [
          'whole clause, cold connection',
          {
            ours: () => withOpening(connect, (connection) => firstOfOurs(connection, atOnce, true)),
            bare: () =>
              withOpening(
                () => openBare(url),
                (socket) => firstOfBare(socket, atOnce),
              ),
          },
        ],
      ] as const) {
        const measured = await interleave(contenders, rounds);
        results.push({
          variant,
          ours: measured.ours,
          unit: 'ms',
          reference: { name: 'bare ws', value: measured.bare },
          met: measured.ours <= 400 && measured.ours - measured.bare <= 5,
        } as const);
      }
      warm.close();
      return results;
    } finally {
      await sandbox.close();
    }
  },
};

/** What `use` takes, and the opening before it. */
async function withOpening<Opened>(
  open: () => Promise<Opened>,
  use: (opened: Opened) => Promise<number>,
): Promise<number> {
  const begin = performance.now();
  const opened = await open();
  return performance.now() - begin + (await use(opened));
}

type Source = (onClause: () => void) => AsyncGenerator<string, void, void>;

/** As a language model writes. */
async function* tokens(onClause: () => void): AsyncGenerator<string, void, void> {
  for (const token of (clause + rest).split(/(?<= )/)) {
    await sleep(30);
    if (token === 'question, ') onClause();
    yield token;
  }
}

async function* atOnce(onClause: () => void): AsyncGenerator<string, void, void> {
  onClause();
  yield clause;
  yield rest;
}

async function firstOfOurs(
  connection: Awaited<ReturnType<Live['connectLive']>>,
  source: Source,
  once = false,
): Promise<number> {
  let begin = Number.NaN;
  let taken: number | undefined;
  const speech = connection.speak(
    source(() => {
      begin = performance.now();
    }),
  );
  for await (const _ of speech) taken ??= performance.now() - begin;
  if (once) connection.close();
  return taken ?? Number.NaN;
}

/** Knows already where the clause ends. */
async function firstOfBare(socket: WebSocket, source: Source): Promise<number> {
  let begin = Number.NaN;
  let taken: number | undefined;
  const send = (message: object): void => socket.send(encode(message));
  const finished = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const { event } = decode(data) as { event: string };
      if (event === 'audio') taken ??= performance.now() - begin;
      if (event === 'finish') resolve();
    });
  });
  send({ event: 'start', request: { text: '', ...request } });
  let isClause = false;
  for await (const text of source(() => {
    begin = performance.now();
    isClause = true;
  })) {
    send({ event: 'text', text });
    if (isClause) send({ event: 'flush' });
    isClause = false;
  }
  send({ event: 'stop' });
  await finished;
  socket.terminate();
  return taken ?? Number.NaN;
}
