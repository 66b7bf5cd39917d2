import { once } from 'node:events';
import { decode, encode } from '@msgpack/msgpack';
import { createSpeechClient } from '@speech-api/client';
import { WebSocket } from 'ws';
import { compare, type Row } from './measure.ts';
import { startServer } from './processes.ts';

type Live = typeof import('@speech-api/live');

// The entry for Node uses ws; the one for other runtimes uses the built-in socket.
const entry = import.meta.resolve('@speech-api/live');
const withWs: Live = await import(entry);
const withBuiltIn: Live = await import(new URL('./index.js', entry).href);

const frames = 20_000;
const frameBytes = 4096;
/** The text that the test service answers with this many frames. */
const text = `${frameBytes}x${frames}`;

/** Milliseconds from the text to its last frame, without the opening of the socket. */
async function readFrames({ connectLive }: Live, url: string) {
  const client = createSpeechClient({ apiKey: 'bench-key', baseUrl: url.replace('ws', 'http') });
  const connection = await connectLive(client, { format: 'pcm', sample_rate: 24_000 });
  const speech = connection.speak();
  const begin = performance.now();
  await speech.write(text);
  let remainingBytes = frames * frameBytes;
  for await (const audio of speech) {
    remainingBytes -= audio.length;
    if (remainingBytes <= 0) break;
  }
  const overriddenDuration = performance.now() - begin;
  connection.close();
  return { overriddenDuration };
}

/** The same with a socket and the decoder alone. */
async function readBare(url: string, isBuiltIn: boolean) {
  const address = `${url}/v1/tts/live`;
  const socket = isBuiltIn
    ? new globalThis.WebSocket(address)
    : (new WebSocket(address, { perMessageDeflate: false }) as unknown as globalThis.WebSocket);
  socket.binaryType = 'arraybuffer';
  await once(socket, 'open');
  const begin = performance.now();
  await new Promise<void>((resolve) => {
    let remainingBytes = frames * frameBytes;
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
      remainingBytes -= (decode(new Uint8Array(data)) as { audio: Uint8Array }).audio.length;
      if (remainingBytes <= 0) resolve();
    });
    socket.send(encode({ event: 'text', text }));
  });
  const overriddenDuration = performance.now() - begin;
  socket.close();
  return { overriddenDuration };
}

export const liveFrames: Row = {
  id: 'live-frames',
  what: 'live: audio frames of 4 KB received and decoded',
  target: '>= 0.9 x a bare socket with a decoder',
  async measure() {
    await using service = await startServer('live');
    const taken = await compare({
      ws: () => readFrames(withWs, service.url),
      bareWs: () => readBare(service.url, false),
      builtIn: () => readFrames(withBuiltIn, service.url),
      bareBuiltIn: () => readBare(service.url, true),
    });
    const result = (variant: string, oursMilliseconds: number, bareMilliseconds: number) => {
      const [ours, bare] = [(frames * 1000) / oursMilliseconds, (frames * 1000) / bareMilliseconds];
      const references = { 'the bare socket and @msgpack/msgpack': bare };
      return { variant, ours, unit: 'a second', references, met: ours >= 0.9 * bare } as const;
    };
    return [
      result('ws', taken.ws, taken.bareWs),
      result('built-in socket', taken.builtIn, taken.bareBuiltIn),
    ];
  },
};
