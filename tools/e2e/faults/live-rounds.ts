// Meets every fault of a live service, round after round, in a process of its own: `node --expose-gc live-rounds.ts URL ROUNDS`.
// Each line is what is left of a round: open handles, and bytes of memory after a collection.

import { setTimeout as sleep } from 'node:timers/promises';
import { createSpeechClient } from '@speech-api/client';
import {
  connectLive,
  createLivePool,
  type LiveConnection,
  type LiveOptions,
  type LiveSpeech,
} from '@speech-api/live';

const [, , baseUrl = '', rounds = '1'] = process.argv;
const client = createSpeechClient({ apiKey: 'test-key', baseUrl });
const text = 'The tide comes in at seven. ';
/** A deadline that a fault has to meet. */
const short = 40;
/** One that nothing may meet, not even on a busy machine, and a pause that is longer: in the first round alone. */
const [long, longer] = [8_000, 9_000];

const to = (model: string, options: LiveOptions = {}): Promise<LiveConnection> =>
  connectLive(client, { format: 'pcm' }, { ...options, model: encodeURIComponent(model) });

async function bytesOf(speech: LiveSpeech): Promise<number> {
  let bytes = 0;
  for await (const audio of speech) bytes += audio.length;
  return bytes;
}

/** Speaks on a connection of its own, and gives the bytes, or the name of the error. */
async function outcome(
  model: string,
  options: LiveOptions = {},
  speak: (connection: LiveConnection) => LiveSpeech | Promise<LiveSpeech> = (connection) =>
    connection.speak(text),
): Promise<number | string> {
  try {
    const connection = await to(model, options);
    try {
      return await bytesOf(await speak(connection));
    } finally {
      connection.close();
    }
  } catch (error) {
    return (error as Error).name;
  }
}

/** A reader and a writer that pause for longer than the server may. */
const stalls: Readonly<Record<string, () => Promise<unknown>>> = {
  'stalled reader': () =>
    outcome('sends 20 MB in frames', { timeouts: { idle: long } }, async (connection) => {
      const speech = connection.speak(text);
      while (speech.metrics.bytes < 1_000_000) await sleep(1);
      await sleep(longer);
      return speech;
    }),
  'stalled writer': () =>
    outcome('speaks', { timeouts: { idle: long } }, async (connection) => {
      const speech = connection.speak();
      await speech.write(text);
      await sleep(longer);
      speech.end();
      return speech;
    }),
};

const faults: Readonly<Record<string, () => Promise<unknown>>> = {
  'server gone mid-utterance': () => outcome('is gone in the middle'),
  'finish lost': () => outcome('loses finish', { timeouts: { idle: short } }),
  'half-open connection': () => outcome('is half open', { timeouts: { idle: short } }),
  'upgrade never answered': () => outcome('never answers', { timeouts: { headers: short } }),
  'upgrade refused': () => outcome('refuses'),
  'garbage frame': () => outcome('sends garbage'),
  'frame of 10 MB': () => outcome('sends 10 MB in a frame'),
  'frame above the limit': () => outcome('sends 10 MB in a frame', { maximumFrameBytes: 1_000_000 }),
  'late reader': () =>
    outcome('speaks', {}, async (connection) => {
      const speech = connection.speak(text);
      while (speech.metrics.bytes < 2800) await sleep(1);
      return speech;
    }),
  'server that does not read': () =>
    outcome('does not read', { timeouts: { idle: short } }, async (connection) => {
      const speech = connection.speak();
      for (;;) await speech.write('word '.repeat(20_000));
    }),
  '10 000 tiny writes': () =>
    outcome('speaks', {}, async (connection) => {
      const speech = connection.speak();
      for (let count = 0; count < 10_000; count += 1) await speech.write('a');
      speech.end();
      return speech;
    }),
  'pooled connection closed by the server': async () => {
    const made: LiveConnection[] = [];
    const pool = createLivePool(async () => {
      const connection = await to(`closes the first of round ${round}`);
      made.push(connection);
      return connection;
    });
    (await pool.take()).close();
    while (made[0]?.isReady) await sleep(1);
    const second = await pool.take();
    const bytes = await bytesOf(second.speak(text));
    second.close();
    pool.close();
    return bytes;
  },
  'connections dropped in the middle': async () => {
    for (let count = 0; count < 150; count += 1) {
      const connection = await to('speaks');
      const speech = connection.speak(text);
      await speech[Symbol.asyncIterator]().next();
      connection.close();
    }
    return 'dropped';
  },
};

let round = 0;
for (; round < Number(rounds); round += 1) {
  const outcomes: Record<string, unknown> = {};
  if (round === 0) {
    const met = Object.entries(stalls).map(async ([name, meet]) => [name, await meet()] as const);
    Object.assign(outcomes, Object.fromEntries(await Promise.all(met)));
  }
  for (const [name, meet] of Object.entries(faults)) outcomes[name] = await meet();
  // The goodbye of the last socket has its time.
  for (let wait = 0; wait < 100 && handles() > 0; wait += 1) await sleep(50);
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.();
    await sleep(1);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  console.log(JSON.stringify({ outcomes, handles: handles(), bytes: heapUsed + arrayBuffers }));
}

function handles(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name)).length;
}
