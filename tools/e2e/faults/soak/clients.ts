// A client of each kind, in a process of its own: each calls again and again until it is told to rest.
import { once } from 'node:events';
import { connect } from 'node:net';
import { createSpeechClient, SpeechError } from '@speech-api/client';
import { connectLive, throughRelay } from '@speech-api/live';
import { RecordingError, speakLong, transcribeRecording } from '@speech-api/recordings';
import { createTickets } from '@speech-api/relay';
import fc from 'fast-check';
import { oddFile } from '../fuzz/values.ts';

/** What a kind of client has come to. */
export interface Tally {
  whole: number;
  /** Errors of ours, which a fault explains. */
  readonly refused: Record<string, number>;
  /** What no fault explains. */
  readonly wrong: string[];
}

const [sandboxUrl = '', wireUrl = '', relayUrl = '', mockUrl = '', secret = ''] = process.argv.slice(2);
const key = 'soak-key';
const timeouts = { headers: 60_000, idle: 60_000 };
const service = createSpeechClient({ apiKey: key, baseUrl: wireUrl, model: 's2-pro', timeouts });
const mock = createSpeechClient({ apiKey: key, baseUrl: mockUrl, model: 's2-pro', timeouts });
const tickets = createTickets({ secret });
const relayed = throughRelay({
  url: relayUrl.replace('http', 'ws'),
  ticket: () => tickets.issue({ user: `user-${Math.floor(Math.random() * 1000)}` }),
});
const text = 'The ferry waits by the lamp, and nobody counts the hours. The bell rings at seven.';
const pcm = { text, format: 'pcm', sample_rate: 8000 } as const;
const live = { format: 'pcm', sample_rate: 8000 } as const;
const sample = await (
  await createSpeechClient({ apiKey: key, baseUrl: sandboxUrl }).speech.create({ text, format: 'wav' })
).bytes();

async function sizeOf(audio: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const piece of audio) bytes += piece.length;
  return bytes;
}

async function sayLive(source: Parameters<typeof connectLive>[0]): Promise<number> {
  const connection = await connectLive(source, live, { timeouts });
  try {
    return await sizeOf(connection.speak(text));
  } finally {
    connection.close();
  }
}

/** Sends what the client would refuse to send. @throws TypeError of a connection that broke, and for a fault of the service */
async function sendOdd(
  path: string,
  isExpected: (status: number) => boolean,
  body: FormData | string,
  headers: Record<string, string> = {},
): Promise<void> {
  const answer = await fetch(`${wireUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, model: 's2-pro', ...headers },
    body,
  });
  await answer.arrayBuffer();
  // A full disk; without faults, no such answer is accepted by the fuzz test.
  if (answer.status >= 500) throw new TypeError(`${path} answered ${answer.status}`);
  if (!isExpected(answer.status)) throw new Error(`${path} answered ${answer.status}`);
}

const unknownKeys = JSON.stringify({
  text: 'a',
  ...Object.fromEntries(Array.from({ length: 25_000 }, (_, index) => [`temperatur_${index}`, index])),
});
const files = fc.sample(oddFile, { seed: 7, numRuns: 300 }).values();
let oddFiles = 0;
/** A small call that waited for its turn behind the files would see more of them pass. */
const mostOvertaking = 25;

/** Each resolves to a figure that must be the same every time, or to something else. */
const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
  speech: async () => sizeOf(await service.speech.create(pcm)),
  samples: async () => sizeOf(await service.speech.create({ ...pcm, references: [{ audio: sample, text }] })),
  timestamps: async () => (await (await service.speech.streamWithTimestamps(pcm)).collect()).audio.length,
  transcription: async () =>
    (await service.transcriptions.create({ audio: sample, ignore_timestamps: false })).text.length,
  models: async () => {
    for await (const model of service.models.list({ page_size: 5 })) await service.models.get(model._id);
    await service.wallet.getApiCredit();
  },
  live: () => sayLive(service),
  relay: () => sayLive(relayed),
  'long text': () => sizeOf(speakLong(service, { ...pcm, text: `${text} `.repeat(30) })),
  recording: async () => (await transcribeRecording(service, sample)).text.length,
  mock: async () => {
    await mock.transcriptions.create({ audio: sample });
    return sizeOf(await mock.speech.create(pcm));
  },
  leaving: async () => {
    const speech = await service.speech.create({ ...pcm, text: `${text} `.repeat(50), format: 'wav' });
    for await (const _ of speech) break;
  },
  'odd file': async () => {
    const body = new FormData();
    body.append('audio', new Blob([new Uint8Array(files.next().value ?? sample)]), 'odd');
    await sendOdd('/v1/asr', (status) => status === 200 || status >= 400, body);
    oddFiles += 1;
  },
  bystander: async () => {
    const before = oddFiles;
    await service.wallet.getPackage();
    const overtaking = oddFiles - before;
    if (overtaking > mostOvertaking) throw new Error(`waited while ${overtaking} odd files were read`);
  },
  'unknown keys': () =>
    sendOdd('/v1/tts', (status) => status === 422, unknownKeys, { 'content-type': 'application/json' }),
  'slow socket': async () => {
    const { hostname, port } = new URL(wireUrl);
    const socket = connect(Number(port), hostname).on('error', () => {});
    await once(socket, 'connect');
    socket.write(`POST /v1/tts HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    socket.destroy();
  },
};

const tallies = new Map<string, Tally>();
function tallyOf(kind: string): Tally {
  const tally = tallies.get(kind) ?? { whole: 0, refused: {}, wrong: [] };
  tallies.set(kind, tally);
  return tally;
}
const figures = new Map<string, unknown>();
let isResting = true;

async function callOnce(kind: string, call: () => Promise<unknown>): Promise<void> {
  const tally = tallyOf(kind);
  try {
    const figure = await call();
    const expected = figures.get(kind) ?? figure;
    if (figure === expected) tally.whole += 1;
    else tally.wrong.push(`${figure} instead of ${expected}`);
    figures.set(kind, expected);
  } catch (error) {
    const isOurs = SpeechError.isInstance(error) || RecordingError.isInstance(error);
    // fetch says no more than this of a connection that broke; the odd calls use it as it is.
    const isBroken = /^(odd|unknown)/.test(kind) && error instanceof TypeError;
    if (!isOurs && !isBroken)
      tally.wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    const name = error instanceof Error ? error.name : 'unknown';
    tally.refused[name] = (tally.refused[name] ?? 0) + 1;
  }
}

let underWay = 0;
for (const [kind, call] of Object.entries(kinds)) {
  void (async () => {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (isResting) continue;
      underWay += 1;
      await callOnce(kind, call);
      underWay -= 1;
    }
  })();
}

process.on('unhandledRejection', (reason) => {
  tallyOf('process').wrong.push(`unhandled: ${String(reason)}`);
});
async function callEachOnce(): Promise<void> {
  for (const [kind, call] of Object.entries(kinds)) await callOnce(kind, call);
}

process.on('message', async (message) => {
  if (message === 'report') return;
  isResting = message !== 'work';
  while (isResting && underWay > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  if (message === 'once') await callEachOnce();
  process.send?.(Object.fromEntries(tallies));
});
// Undisturbed: the figures that all later calls must come to.
await callEachOnce();
process.stdout.write('ready\n');
