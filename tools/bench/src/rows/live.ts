import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode, encode } from '@msgpack/msgpack';
import { createSpeechClient } from '@speech-api/client';
import type { LiveConnection, LiveRequest } from '@speech-api/live';
import { WebSocket } from 'ws';
import { interleave, type Row } from '../measure.ts';
import { startServer } from '../processes.ts';

type Live = typeof import('@speech-api/live');

// Node's entry has ws; the one for all other runtimes has the built-in socket.
const entry = import.meta.resolve('@speech-api/live');
const withWs: Live = await import(entry);
const withBuiltIn: Live = await import(new URL('./index.js', entry).href);

const request: LiveRequest = { format: 'pcm', sample_rate: 24_000 };
const frames = 20_000;
const frameBytes = 4096;
const asked = `${frameBytes}x${frames}`;

function connect({ connectLive }: Live, url: string): Promise<LiveConnection> {
  const baseUrl = url.replace('ws', 'http');
  return connectLive(createSpeechClient({ apiKey: 'sandbox-key', baseUrl, model: 's2-pro' }), request);
}

/** A socket of ws, or the built-in one, as the standard has it. */
async function connectBare(url: string, isBuiltIn: boolean): Promise<globalThis.WebSocket> {
  const address = `${url}/v1/tts/live`;
  const socket = isBuiltIn
    ? new globalThis.WebSocket(address)
    : (new WebSocket(address, { perMessageDeflate: false }) as unknown as globalThis.WebSocket);
  socket.binaryType = 'arraybuffer';
  await once(socket, 'open');
  return socket;
}

async function readFrames(live: Live, url: string): Promise<number> {
  const connection = await connect(live, url);
  const speech = connection.speak();
  const begin = performance.now();
  await speech.write(asked);
  let left = frames * frameBytes;
  for await (const audio of speech) {
    left -= audio.length;
    if (left <= 0) break;
  }
  const taken = performance.now() - begin;
  connection.close();
  return (frames * 1000) / taken;
}

/** The same with as little as there can be in between. */
async function readBare(
  url: string,
  lengthOf: (data: Uint8Array) => number,
  isBuiltIn = false,
): Promise<number> {
  const socket = await connectBare(url, isBuiltIn);
  const begin = performance.now();
  await new Promise<void>((resolve) => {
    let left = frames * frameBytes;
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
      left -= lengthOf(new Uint8Array(data));
      if (left <= 0) resolve();
    });
    socket.send(encode({ event: 'text', text: asked }));
  });
  const taken = performance.now() - begin;
  socket.close();
  return (frames * 1000) / taken;
}

const decodedLength = (data: Uint8Array): number => (decode(data) as { audio: Uint8Array }).audio.length;

const liveFrames: Row = {
  id: 'live-frames',
  what: 'live: audio frames of 4 KB received and decoded',
  target: '>= 120 000 a second with ws, >= 90 000 with the built-in socket',
  async measure() {
    await using service = await startServer('service');
    const { url } = service;
    const measured = await interleave(
      {
        ws: () => readFrames(withWs, url),
        builtIn: () => readFrames(withBuiltIn, url),
        bare: () => readBare(url, decodedLength),
        bareBuiltIn: () => readBare(url, decodedLength, true),
        raw: () => readBare(url, (data) => data.length),
      },
      7,
    );
    const references = {
      'bare ws and @msgpack/msgpack': measured.bare,
      'bare ws, nothing decoded': measured.raw,
    };
    const builtIn = { 'bare built-in socket and @msgpack/msgpack': measured.bareBuiltIn, ...references };
    // The targets were set where bare ws received 156 000 frames a second: a busy machine slows both down.
    const met = (ours: number, target: number) => ours / measured.raw >= target / 156_000;
    return [
      { variant: 'ws', ours: measured.ws, unit: 'a second', references, met: met(measured.ws, 120_000) },
      {
        variant: 'built-in socket',
        ours: measured.builtIn,
        unit: 'a second',
        references: builtIn,
        met: met(measured.builtIn, 90_000),
      },
    ];
  },
};

const clause = 'Well, that is a good question, ';
const rest = 'and I will think about it until tomorrow.';

/** Yields words as a language model writes them, and reports when the first clause is complete. */
async function* tokens(onClause: () => void): AsyncGenerator<string, void, void> {
  for (const token of (clause + rest).split(/(?<= )/)) {
    await sleep(30);
    if (clause.endsWith(token)) onClause();
    yield token;
  }
}

/** Milliseconds from the clause to its audio. The utterance is read to its end where the service ends it. */
async function firstAudio(connection: LiveConnection): Promise<number> {
  let begin = Number.NaN;
  const speech = connection.speak(
    tokens(() => {
      begin = performance.now();
    }),
  );
  let taken: number | undefined;
  for await (const audio of speech) {
    taken ??= performance.now() - begin;
    if (audio.length === frameBytes) break;
  }
  return taken ?? Number.NaN;
}

/** The same without us: it knows already when the clause ends. */
async function firstOfBare(url: string): Promise<number> {
  const socket = await connectBare(url, false);
  const send = (message: object): void => socket.send(encode(message));
  send({ event: 'start', request: { text: '', ...request } });
  await sleep(30 * clause.split(/(?<= )/).length);
  const begin = performance.now();
  send({ event: 'text', text: clause });
  send({ event: 'flush' });
  await once(socket, 'message');
  const taken = performance.now() - begin;
  socket.close();
  return taken;
}

const liveFirstAudio: Row = {
  id: 'live-first-audio',
  what: 'live: from the end of the first full clause to its first audio',
  target: '<= 400 ms on the sandbox when tokens come every 30 ms; our share of it <= 5 ms',
  async measure() {
    await using sandbox = await startServer('sandbox');
    await using service = await startServer('service');
    const connection = await connect(withWs, sandbox.url);
    const speaking = await interleave({ tokens: () => firstAudio(connection) }, 9);
    connection.close();
    // A voice wavers by more than our share: that is measured where audio comes at once.
    const share = await interleave(
      {
        ours: async () => firstAudio(await connect(withWs, service.url)),
        bare: () => firstOfBare(service.url),
      },
      15,
    );
    return [
      {
        variant: 'tokens every 30 ms, sandbox',
        ours: speaking.tokens,
        unit: 'ms',
        references: { 'the limit': 400 },
        met: speaking.tokens <= 400,
      },
      {
        variant: 'our share, a service that answers at once',
        ours: share.ours,
        unit: 'ms',
        references: { 'bare ws': share.bare },
        met: share.ours - share.bare <= 5,
      },
    ];
  },
};

export const live: readonly Row[] = [liveFrames, liveFirstAudio];
