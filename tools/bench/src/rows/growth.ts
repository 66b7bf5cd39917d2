import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSpeechClient } from '@speech-api/client';
import { cutRecording, planSpeech, transcribeRecording } from '@speech-api/recordings';
import { readSpeechEvents, Timeline } from '@speech-api/streaming';
import { cpuTime, interleave, type Row } from '../measure.ts';
import { type Server, startServer } from '../processes.ts';
import { recording } from '../recording.ts';
import { eventBytes, words } from '../timestamp-stream.ts';
import { openSession } from './relay.ts';

/** Prepares work of one size, which resolves to its processor time. */
type Work = (size: number) => Promise<() => Promise<number>>;

/** The power of the size with which work grows: 1 is linear. The slope of a line through the logarithms. */
async function exponentOf(smallest: number, work: Work): Promise<number> {
  const sizes = [smallest, 2 * smallest, 4 * smallest, 8 * smallest];
  const contenders = Object.fromEntries(
    await Promise.all(sizes.map(async (size) => [String(size), await work(size)] as const)),
  );
  const times = await interleave(contenders, 3);
  const points = sizes.map(
    (size) => [Math.log2(size / smallest), Math.log2(times[String(size)] ?? 0)] as const,
  );
  const middle = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const spread = points.reduce((sum, [x]) => sum + (x - 1.5) ** 2, 0);
  return points.reduce((sum, [x, y]) => sum + (x - 1.5) * (y - middle), 0) / spread;
}

const running: Server[] = [];
async function start(...what: Parameters<typeof startServer>): Promise<Server> {
  const server = await startServer(...what);
  running.push(server);
  return server;
}

async function timeOf(server: Server, work: () => Promise<unknown>): Promise<number> {
  const before = await server.processorTime();
  await work();
  return (await server.processorTime()) - before;
}

const at = '2026-01-01T00:00:00Z';
const voice = {
  type: 'tts',
  title: 'A voice',
  state: 'trained',
  tags: [],
  created_at: at,
  updated_at: at,
  visibility: 'public',
  like_count: 0,
  mark_count: 0,
  shared_count: 0,
  task_count: 0,
  author: { _id: 'author', nickname: 'Author', avatar: '' },
};
const sentence = 'The ferry waits by the lamp, and nobody counts the hours. ';
const settings = { apiKey: 'sandbox-key', model: 's2-pro' } as const;

/** Each with its smallest size. */
const subjects: Readonly<Record<string, readonly [smallest: number, work: Work]>> = {
  'characters of a text, planned as calls': [
    200_000,
    async (size) => {
      const text = sentence.repeat(size / sentence.length);
      return () => cpuTime(() => planSpeech(text, {}));
    },
  ],
  'characters of a text, spoken by the sandbox': [
    2000,
    async (size) => {
      const text = sentence.repeat(size / sentence.length);
      const sandbox = await start('sandbox');
      const client = createSpeechClient({ ...settings, baseUrl: sandbox.url });
      return () => timeOf(sandbox, async () => (await client.speech.create({ text, format: 'pcm' })).bytes());
    },
  ],
  'events of a stream': [
    500,
    async (size) => {
      const event = eventBytes(words(20), 4000);
      return () =>
        cpuTime(async () => {
          const timeline = new Timeline();
          for await (const each of readSpeechEvents(streamOf(repeat(event, size)))) timeline.apply(each);
        });
    },
  ],
  'bytes of one event': [
    500_000,
    async (size) => {
      const bytes = eventBytes(words(200), size);
      const pieces = Array.from({ length: Math.ceil(bytes.length / 1024) }, (_, at) =>
        bytes.subarray(at * 1024, (at + 1) * 1024),
      );
      return () => cpuTime(async () => void (await Array.fromAsync(readSpeechEvents(streamOf(pieces)))));
    },
  ],
  'segments of a timeline, as captions': [
    2000,
    async (size) => {
      const timeline = new Timeline();
      for await (const each of readSpeechEvents(streamOf([eventBytes(words(size), 3)]))) timeline.apply(each);
      return () => cpuTime(() => timeline.toVtt());
    },
  ],
  'seconds of a recording, cut': [
    1800,
    async (seconds) => () =>
      cpuTime(async () => void (await Array.fromAsync(cutRecording(recording(seconds))))),
  ],
  'seconds of a recording, transcribed in parts': [
    600,
    async (seconds) => {
      const segments = words(60);
      const fetch = async () => Response.json({ text: 'words', duration: 20, segments });
      const client = createSpeechClient({ ...settings, baseUrl: 'http://127.0.0.1', fetch });
      return () => cpuTime(() => transcribeRecording(client, recording(seconds), { maximumSeconds: 20 }));
    },
  ],
  'voices, listed page by page': [
    250,
    async (size) => {
      const models = Array.from({ length: size }, (_, index) => ({
        model: { ...voice, _id: `voice-${index}` },
      }));
      const seed = join(tmpdir(), `speech-bench-${size}.json`);
      await writeFile(seed, JSON.stringify({ models }));
      const sandbox = await start('sandbox', '--seed', seed);
      const client = createSpeechClient({ ...settings, baseUrl: sandbox.url });
      return () => timeOf(sandbox, () => Array.fromAsync(client.models.list({ page_size: 50 })));
    },
  ],
  'sessions of a relay, opened and closed': [
    50,
    async (size) => {
      const relay = await start('relay', (await start('service')).url);
      return () =>
        timeOf(relay, async () => {
          const sockets = [];
          for (let count = 0; count < size; count += 1) sockets.push(await openSession(relay));
          for (const socket of sockets) socket.terminate();
        });
    },
  ],
};

async function* streamOf<Piece>(pieces: Iterable<Piece>): AsyncGenerator<Piece> {
  yield* pieces;
}

function* repeat<Item>(item: Item, count: number): Generator<Item> {
  for (let index = 0; index < count; index += 1) yield item;
}

export const growth: readonly Row[] = Object.entries(subjects).map(([what, [smallest, work]], index) => ({
  id: `growth-${index}`,
  what: `growth with the ${what}`,
  target: 'linear: an exponent of 1.15 at most',
  async measure() {
    const ours = await exponentOf(smallest, work).finally(() =>
      Promise.all(running.splice(0).map((server) => server[Symbol.asyncDispose]())),
    );
    return [{ ours, unit: 'exponent' as const, references: { linear: 1 }, met: ours <= 1.15 }];
  },
}));
