import { encode } from '@msgpack/msgpack';
import { WebSocket } from 'ws';
import { interleave, median, type Result, type Row } from '../measure.ts';
import { type Server, startServer } from '../processes.ts';

/** Opens a session, and waits for the audio of its first message: what comes before is the relay's. */
export async function openSession({ url }: Server, ticket?: string): Promise<WebSocket> {
  const protocols = ['speech-relay', ...(ticket === undefined ? [] : [`ticket.${ticket}`])];
  const socket = new WebSocket(`${url}/v1/tts/live`, protocols, { perMessageDeflate: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => socket.send(words('Hello.')));
    socket.on('message', function came(data: Buffer) {
      if (data.length < 4096) return;
      socket.off('message', came);
      resolve();
    });
  });
  return socket;
}

const words = (text: string): Uint8Array => encode({ event: 'text', text });

/** The median of the round trips of a round, in microseconds. */
async function roundTrip(socket: WebSocket): Promise<number> {
  const frame = words('Hello. ');
  const times: number[] = [];
  await new Promise<void>((resolve) => {
    let begin = performance.now();
    socket.on('message', function answered() {
      times.push((performance.now() - begin) * 1000);
      if (times.length === 1000) {
        socket.off('message', answered);
        return resolve();
      }
      begin = performance.now();
      socket.send(frame);
    });
    socket.send(frame);
  });
  return median(times);
}

async function speedOf(socket: WebSocket, bytes: number, count: number, pause = 0): Promise<number> {
  const begin = performance.now();
  await new Promise<void>((resolve) => {
    let left = count;
    socket.on('message', function came() {
      left -= 1;
      if (left > 0) return;
      socket.off('message', came);
      resolve();
    });
    socket.send(words(`${bytes}x${count}/${pause}`));
  });
  return (bytes * count) / 1e3 / (performance.now() - begin);
}

/** Measures with a session that goes directly to the service, one through a TCP pipe and one through the relay. */
async function compareWays(measure: (socket: WebSocket) => Promise<number>, rounds: number) {
  await using service = await startServer('service');
  await using pipe = await startServer('pipe', service.url);
  await using relay = await startServer('relay', service.url);
  const sockets = await Promise.all([service, pipe, relay].map((server) => openSession(server)));
  const [direct, piped, relayed] = sockets.map((socket) => () => measure(socket));
  if (direct === undefined || piped === undefined || relayed === undefined)
    throw new Error('a session is missing');
  // Awaited here, because the servers end with this function.
  return await interleave({ direct, piped, relayed }, rounds);
}

const relayRoundTrip: Row = {
  id: 'relay-round-trip',
  what: 'relay: a text message there and 4 KB of audio back, over a direct connection',
  target: '<= +40 us (median) where a TCP pipe adds 26 us',
  async measure() {
    const { direct, piped, relayed } = await compareWays(roundTrip, 15);
    const references = { 'TCP pipe added': piped - direct, direct };
    // A busy machine slows the pipe down too.
    const met = relayed - direct <= (40 / 26) * (piped - direct);
    return [{ variant: 'added', ours: relayed - direct, unit: 'us', references, met }];
  },
};

const relayThroughput: Row = {
  id: 'relay-throughput',
  what: 'relay: audio of one session',
  target: '>= 280 MB/s',
  async measure() {
    const results: Result[] = [];
    for (const kilobytes of [4, 64]) {
      const bytes = kilobytes * 1024;
      const { direct, piped, relayed } = await compareWays(
        (socket) => speedOf(socket, bytes, Math.round(50e6 / bytes)),
        3,
      );
      // If a bare pipe does not reach it either, the machine is the limit.
      const met = relayed >= 280 || (piped >= 280 ? false : undefined);
      const references = { direct, 'TCP pipe': piped };
      results.push({ variant: `frames of ${kilobytes} KB`, ours: relayed, unit: 'MB/s', references, met });
    }
    return results;
  },
};

const relayMemory: Row = {
  id: 'relay-memory',
  what: 'relay: resident memory of a session',
  target: '<= 150 KB each, for 1 000 idle ones and for 200 that speak',
  async measure() {
    const results: Result[] = [];
    for (const [variant, count, isSpeaking] of [
      ['1 000 idle', 1000, false],
      ['200 that speak', 200, true],
    ] as const) {
      const ours = await memoryOf('relay', count, isSpeaking);
      const references = { 'TCP pipe': await memoryOf('pipe', count, isSpeaking) };
      results.push({ variant, ours, unit: 'KB', references, met: ours <= 150 });
    }
    return results;
  },
};

/** KB of memory per session at its highest. */
async function memoryOf(name: 'relay' | 'pipe', count: number, isSpeaking: boolean): Promise<number> {
  await using service = await startServer('service');
  await using server = await startServer(name, service.url);
  // The first session loads code, which no other has to.
  const sockets = [await openSession(server)];
  const before = await server.memory();
  while (sockets.length <= count) {
    sockets.push(...(await Promise.all(Array.from({ length: 20 }, () => openSession(server)))));
  }
  // pcm in mono at 44.1 kHz, as fast as it is played.
  const speaking = isSpeaking ? sockets.map((socket) => speedOf(socket, 8820, 30, 100)) : [];
  let done = false;
  const spoken = Promise.all(speaking).then(() => {
    done = true;
  });
  let highest = 0;
  do highest = Math.max(highest, await server.memory());
  while (!done);
  await spoken;
  return ((highest - before) * 1e3) / count;
}

export const relay: readonly Row[] = [relayRoundTrip, relayThroughput, relayMemory];
