import { encode } from '@msgpack/msgpack';
import { WebSocket } from 'ws';
import { interleave } from '../measure/interleave.ts';
import { type Part, withParts } from '../measure/live-parts.ts';
import type { Row } from '../row.ts';

/** Opens a session, and waits for the audio of its first message: what comes before is the relay's. */
async function openSession({ url }: Part): Promise<WebSocket> {
  const socket = new WebSocket(`${url}/v1/tts/live`, ['speech-relay'], { perMessageDeflate: false });
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

function words(text: string): Uint8Array {
  return encode({ event: 'text', text });
}

/** The median of the round trips of a round, in microseconds. */
async function roundTrip(socket: WebSocket, count: number): Promise<number> {
  const frame = words('Hello. ');
  const times: number[] = [];
  await new Promise<void>((resolve) => {
    let begin = performance.now();
    socket.on('message', function answered() {
      times.push((performance.now() - begin) * 1000);
      if (times.length === count) {
        socket.off('message', answered);
        resolve();
        return;
      }
      begin = performance.now();
      socket.send(frame);
    });
    socket.send(frame);
  });
  return times.toSorted((left, right) => left - right)[times.length >> 1] ?? Number.NaN;
}

/** MB of audio per second. */
async function throughput(socket: WebSocket, bytes: number, count: number, pause = 0): Promise<number> {
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

export const relayRoundTrip: Row = {
  id: 'relay-round-trip',
  what: 'relay: a text message there and 4 KB of audio back, over a direct connection',
  target: '<= +40 us (median) where a TCP pipe adds 26 us',
  measure: () =>
    withParts(async (parts) => {
      const direct = await openSession(parts.direct);
      const pipe = await openSession(parts.pipe);
      const relay = await openSession(parts.relay);
      const measured = await interleave(
        {
          direct: () => roundTrip(direct, 1000),
          pipe: () => roundTrip(pipe, 1000),
          relay: () => roundTrip(relay, 1000),
        },
        15,
      );
      const added = measured.relay - measured.direct;
      const piped = measured.pipe - measured.direct;
      for (const socket of [direct, pipe, relay]) socket.terminate();
      return [
        {
          variant: 'added',
          ours: added,
          unit: 'us',
          reference: { name: 'TCP pipe added', value: piped },
          peers: [{ name: 'direct', value: measured.direct }],
          // What a busy machine adds meets the pipe too.
          met: added <= (40 / 26) * piped,
        },
      ];
    }),
};

export const relayThroughput: Row = {
  id: 'relay-throughput',
  what: 'relay: audio of one session',
  target: '>= 280 MB/s',
  measure: () =>
    withParts(async (parts) => {
      const direct = await openSession(parts.direct);
      const pipe = await openSession(parts.pipe);
      const relay = await openSession(parts.relay);
      const results = [];
      for (const [variant, bytes] of [
        ['frames of 4 KB', 4096],
        ['frames of 64 KB', 65_536],
      ] as const) {
        const count = Math.round(50e6 / bytes);
        const measured = await interleave(
          {
            direct: () => throughput(direct, bytes, count),
            pipe: () => throughput(pipe, bytes, count),
            relay: () => throughput(relay, bytes, count),
          },
          3,
        );
        results.push({
          variant,
          ours: measured.relay,
          unit: 'MB/s',
          reference: { name: 'direct', value: measured.direct },
          peers: [{ name: 'TCP pipe', value: measured.pipe }],
          // Where a bare pipe does not reach it either, the machine is the limit.
          met: measured.relay >= 280 || (measured.pipe >= 280 ? false : undefined),
        } as const);
      }
      for (const socket of [direct, pipe, relay]) socket.terminate();
      return results;
    }),
};

export const relayMemory: Row = {
  id: 'relay-memory',
  what: 'relay: resident memory of a session',
  target: '<= 150 KB each, for 1 000 idle ones and for 200 that speak',
  measure: async () => {
    const idle = await memoryOf(1000, async () => {});
    const active = await memoryOf(200, async (sockets) => {
      // pcm in mono at 44.1 kHz, as fast as it is played.
      await Promise.all(sockets.map((socket) => throughput(socket, 8820, 30, 100)));
    });
    return [
      { variant: '1 000 idle', ...idle, unit: 'KB', met: idle.ours <= 150 },
      { variant: '200 that speak', ...active, unit: 'KB', met: active.ours <= 150 },
    ];
  },
};

/** Memory per session of the relay and of the pipe, at its highest while the sessions do something. */
async function memoryOf(count: number, use: (sockets: readonly WebSocket[]) => Promise<void>) {
  const figures = { relay: Number.NaN, pipe: Number.NaN };
  for (const name of ['relay', 'pipe'] as const) {
    await withParts(async (parts) => {
      const part = parts[name];
      // What is loaded with the first session is not a session's.
      const sockets = [await openSession(part)];
      const before = await part.memory();
      while (sockets.length <= count) {
        sockets.push(...(await Promise.all(Array.from({ length: 20 }, () => openSession(part)))));
      }
      let highest = 0;
      let done = false;
      const used = use(sockets).finally(() => {
        done = true;
      });
      while (!done) highest = Math.max(highest, await part.memory());
      await used;
      highest = Math.max(highest, await part.memory());
      figures[name] = (highest - before) / 1e3 / count;
      for (const socket of sockets) socket.terminate();
    });
  }
  return { ours: figures.relay, reference: { name: 'TCP pipe', value: figures.pipe } };
}
