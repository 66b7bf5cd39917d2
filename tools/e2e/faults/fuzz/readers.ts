import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { workerData } from 'node:worker_threads';
import { encode } from '@msgpack/msgpack';
import { AudioFormatError, createAudioMeter } from '@speech-api/audio';
import { createSpeechClient, SpeechError } from '@speech-api/client';
import { CannotJudge, check } from '@speech-api/contract';
import { connectLive } from '@speech-api/live';
import { decode, MessagePackError } from '@speech-api/msgpack';
import { cutRecording, RecordingError, transcribeRecording } from '@speech-api/recordings';
import { cutInWorker } from '@speech-api/recordings/node';
import { createTickets, Refusal as RelayRefusal, startRelay } from '@speech-api/relay';
import { startSandbox } from '@speech-api/sandbox';
import { createLiveReceiver, createReceiver, Refusal } from '@speech-api/server';
import { readSpeechEvents, SpeechStreamError, Timeline, writeSrt, writeVtt } from '@speech-api/streaming';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { speechPath } from '../../test/testing/speech-command.ts';
import { relayBinary } from '../sandbox-process.ts';

type Pieces = readonly Uint8Array<ArrayBuffer>[];

/** Something that reads bytes from outside. */
export interface Reader {
  /** Bytes that it can read; most cases are changed ones. */
  readonly seeds: readonly Buffer[];
  /** What this resolves to, or the message of its error, must not depend on the pieces. */
  read(pieces: Pieces): Promise<unknown>;
  isOurs(error: unknown): boolean;
}

const { folder } = workerData as { folder: string };
const file = join(folder, 'given.json');
const isError =
  (...classes: readonly { isInstance(value: unknown): boolean }[]) =>
  (error: unknown) =>
    classes.some((each) => each.isInstance(error));
const json = (...values: readonly unknown[]) => values.map((value) => Buffer.from(JSON.stringify(value)));
const packed = (...values: readonly unknown[]) => values.map((value) => Buffer.from(encode(value)));
const key = 'sandbox-key';
const timeouts = { headers: 20_000, idle: 20_000 };

const seedFolder = new URL('seeds/', import.meta.url);
const recorded = (extension: string) =>
  readdirSync(seedFolder)
    .filter((name) => name.endsWith(extension))
    .map((name) => readFileSync(new URL(name, seedFolder)));
const transcriptFolder = new URL('transcripts/', import.meta.resolve('@speech-api/spec/package.json'));
const transcripts = readdirSync(transcriptFolder)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => readFileSync(new URL(name, transcriptFolder)));
const streams = transcripts.map((lines) => {
  const chunks = lines.toString().trim().split('\n').slice(1, -1);
  return Buffer.concat(chunks.map((line) => Buffer.from(JSON.parse(line)[1], 'base64')));
});

const request = {
  text: 'Hello <|speaker:0|>there.',
  format: 'opus',
  temperature: 0.5,
  prosody: { speed: 1.5, volume: null },
  references: [{ audio: Buffer.from('RIFFxxxxWAVE'), text: 'A sample.' }],
};
const speech = { text: 'Hello.', sample_rate: null, latency: 'low', reference_id: 'sandbox-alba' };
const form = Buffer.from(
  '--b\r\ncontent-disposition: form-data; name="audio"; filename="a.wav"\r\n\r\nRIFF\r\n--b\r\n' +
    'content-disposition: form-data; name="language"\r\n\r\nen\r\n--b--\r\n',
);

const receiver = createReceiver();
function bodyReader(type: string, seeds: readonly Buffer[], url = '/v1/tts'): Reader {
  return {
    seeds,
    async read(pieces) {
      const headers = { model: 's2-pro', 'content-type': type };
      const incoming = Object.assign(Readable.from(pieces), { method: 'POST', url, headers });
      return (await receiver.receive(incoming, {})).body;
    },
    isOurs: (error) => error instanceof Refusal,
  };
}

function answerReader(
  seeds: readonly Buffer[],
  call: (client: ReturnType<typeof createSpeechClient>) => Promise<unknown>,
  status = 200,
  type = 'application/json',
): Reader {
  return {
    seeds,
    async read(pieces) {
      const answer = async () =>
        new Response(ReadableStream.from(pieces), { status, headers: { 'content-type': type } });
      return await call(
        createSpeechClient({
          apiKey: key,
          baseUrl: 'http://a',
          model: 's2-pro',
          fetch: answer,
          retry: { retries: 0 },
        }),
      );
    },
    isOurs: isError(SpeechError, SpeechStreamError),
  };
}

function meter(format: 'wav' | 'mp3' | 'opus', extension: string): Reader {
  return {
    seeds: recorded(extension),
    async read(pieces) {
      const audio = createAudioMeter(format);
      for (const piece of pieces) audio.push(piece);
      audio.end();
      const { seconds, sampleRate, channels, samples, frames, leftoverBytes } = audio;
      return { seconds, sampleRate, channels, samples, frames, leftoverBytes };
    },
    isOurs: (error) => error instanceof AudioFormatError,
  };
}

async function cutWith(cut: typeof cutRecording, pieces: Pieces): Promise<unknown> {
  const parts: unknown[] = [];
  for await (const { bytes, start, end } of cut(Readable.from(pieces))) {
    parts.push([Buffer.from(bytes).toString('base64'), start, end]);
  }
  return parts;
}

// A service that answers the first message of each session with the bytes of the case, and then ends.
let frame: Uint8Array = new Uint8Array();
const service = new WebSocketServer({ port: 0, host: '127.0.0.1' });
service.on('connection', (socket) => {
  socket.once('message', () => {
    socket.send(frame);
    socket.send(encode({ event: 'finish', reason: 'stop' }));
  });
  socket.on('error', () => {});
});
await once(service, 'listening');
const serviceUrl = `ws://127.0.0.1:${(service.address() as AddressInfo).port}`;
const many = { sessions: 1e6, sessionsPerUser: 1e6, sessionsPerOrigin: 1e6, startsPerUserAndMinute: 1e6 };
const relay = await startRelay({
  upstream: { webSocketUrl: serviceUrl, apiKey: key, model: 's2-pro' },
  origins: [],
  authorize: () => ({ user: 'fuzz' }),
  limits: {
    ...many,
    startsPerOriginAndMinute: 1e6,
    charactersPerUserAndDay: 1e9,
    charactersPerOriginAndDay: 1e9,
  },
});

/** Sends a message through the relay. @returns the events that came back, and how the socket was closed */
async function throughRelay(message: Uint8Array): Promise<unknown> {
  const socket = new WebSocket(`${relay.url.replace('http', 'ws')}/v1/tts/live`, ['speech-relay']);
  const events: unknown[] = [];
  socket.on('message', (data: RawData) => {
    const { event, status } = decode(data as Buffer) as { event: unknown; status?: unknown };
    events.push(status ?? event);
    if (event === 'ready') socket.send(message);
    if (event === 'finish') socket.close();
  });
  const [code] = await once(socket, 'close');
  // What the relay says of itself is a refusal; 1006 would be a connection that broke.
  if (code !== 1005 && code !== 1009 && !(code >= 4400 && code < 4600))
    throw new Error(`closed with ${code}`);
  if (code === 4500) throw new Error('the relay failed');
  return events;
}

/** Runs a program until it ends or prints its first line, and fails when it shows where in our code it failed. */
async function runWith(environment: Record<string, string>, command: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, command, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.once('data', () => child.kill('SIGKILL'));
  const [[code], complaint] = await Promise.all([once(child, 'close'), readText(child.stderr)]);
  if (/\n\s+at /.test(complaint) || (code === 1 && complaint.trim() === '')) throw new Error(complaint);
}

const now = Date.now();
/** Each remembers for itself which tickets were used. */
const newTickets = () => createTickets({ secret: 'a secret of thirty-two bytes, or more', now: () => now });
const account = { key: 'mine', user: { _id: 'me' }, concurrency: 3, api_credit: { credit: '5.00' } };
const silent = { ready: async () => {}, close: async () => {}, open: () => Promise.reject() as never };
const liveReceiver = createLiveReceiver();
const voice = {
  _id: 'a',
  type: 'tts',
  title: 'A',
  state: 'trained',
  tags: ['x'],
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  visibility: 'public',
  like_count: 0,
  mark_count: 0,
  shared_count: 0,
  task_count: 0,
  author: { _id: 'b', nickname: 'B', avatar: '' },
};
const segments = [
  { text: 'Hello', start: 0, end: 0.5 },
  { text: '你好', start: 0.5, end: 1e9 },
];
const isSegment = (value: unknown) => {
  const { text, start, end } = (value ?? {}) as Record<string, unknown>;
  return typeof text === 'string' && typeof start === 'number' && typeof end === 'number';
};
const wav = recorded('.wav')[0] ?? Buffer.alloc(0);
const har = {
  log: {
    version: '1.2',
    entries: [
      {
        startedDateTime: '2026-01-01T00:00:00Z',
        request: {
          method: 'GET',
          url: 'http://a/model',
          headers: [{ name: 'authorization', value: 'Bearer x' }],
        },
        response: {
          status: 200,
          headers: [],
          content: { mimeType: 'application/json', text: '{"total":0}' },
        },
      },
    ],
  },
};

export const readers: Readonly<Record<string, Reader>> = {
  'JSON request': bodyReader('application/json', json(speech)),
  'MessagePack request': bodyReader('application/msgpack', packed(request, speech)),
  'form request': bodyReader('multipart/form-data; boundary=b', [form], '/v1/asr'),
  'live frame of a client': {
    seeds: packed({ event: 'start', request: { ...speech, text: '' } }, { event: 'text', text: 'Hello. ' }),
    read: async (pieces) => liveReceiver.receive(Buffer.concat(pieces), 's2-pro'),
    isOurs: (error) => error instanceof Refusal,
  },
  MessagePack: {
    seeds: packed(request, [1, -1, 2 ** 40, 1.5, new Date(0), null, true, { a: [[['deep']]] }]),
    read: async (pieces) => decode(Buffer.concat(pieces)),
    isOurs: (error) => error instanceof MessagePackError,
  },
  'event stream': {
    seeds: streams,
    async read(pieces) {
      const timeline = new Timeline();
      const audio: Uint8Array[] = [];
      for await (const event of readSpeechEvents(Readable.from(pieces))) {
        timeline.apply(event);
        if (event.type === 'audio-chunk') audio.push(event.audio);
      }
      return [Buffer.concat(audio).toString('base64'), timeline.toJSON()];
    },
    isOurs: (error) => error instanceof SpeechStreamError,
  },
  captions: {
    seeds: json(segments),
    async read(pieces) {
      const value = JSON.parse(Buffer.concat(pieces).toString());
      if (!Array.isArray(value) || !value.every(isSegment)) return undefined;
      return [writeVtt(value), writeSrt(value)];
    },
    isOurs: (error) =>
      error instanceof SyntaxError || (error instanceof Error && /segment/.test(error.message)),
  },
  'wav meter': meter('wav', '.wav'),
  'mp3 meter': meter('mp3', '.mp3'),
  'Ogg meter': meter('opus', 'opus.ogg'),
  recording: {
    seeds: ['.wav', '.mp3', '.ogg', '.flac'].flatMap(recorded),
    read: (pieces) => cutWith(cutRecording, pieces),
    isOurs: isError(RecordingError),
  },
  'recording of another library': {
    seeds: ['.m4a', '.webm', '.aac'].flatMap(recorded),
    read: (pieces) => cutWith(cutInWorker({ deadline: 10_000 }), pieces),
    isOurs: isError(RecordingError),
  },
  journal: {
    seeds: json({ text: 'Hello', duration: 0.4, segments }),
    async read(pieces) {
      const answer = async () => Response.json({ text: 'sent', duration: 0.4, segments: [] });
      const client = createSpeechClient({ apiKey: key, baseUrl: 'http://a', fetch: answer });
      const journal = { read: async () => Buffer.concat(pieces), write: async () => {} };
      return (await transcribeRecording(client, wav, { journal })).toJSON();
    },
    isOurs: isError(RecordingError, SpeechError),
  },
  'answer with a list': answerReader(json({ total: 1, items: [voice], has_more: false }), (client) =>
    client.models.list().then(({ items }) => items),
  ),
  'answer with a transcription': answerReader(json({ text: 'Hello', duration: 1, segments }), (client) =>
    client.transcriptions.create({ audio: wav }),
  ),
  'answer with an error': answerReader(
    json({ status: 422, message: 'no' }, [{ loc: ['body', 'text'], type: 'a', msg: 'b', ctx: '' }]),
    (client) => client.wallet.getPackage(),
    422,
  ),
  'answer with audio': answerReader(
    recorded('.mp3'),
    async (client) =>
      Buffer.from(await (await client.speech.create({ text: 'a' })).bytes()).toString('base64'),
    200,
    'audio/mpeg',
  ),
  'live frame of a service': {
    seeds: packed(
      { event: 'audio', audio: Buffer.alloc(40), alignment: { audio_duration: 1, segments }, chunk_seq: 0 },
      { event: 'finish', reason: 'error', message: 'x' },
      { event: 'error', error: 'no', status: 429, retry_after: 1 },
    ),
    async read(pieces) {
      frame = Buffer.concat(pieces);
      const client = createSpeechClient({
        apiKey: key,
        baseUrl: serviceUrl.replace('ws', 'http'),
        model: 's1',
      });
      const connection = await connectLive(client, { format: 'pcm' }, { timeouts });
      try {
        let bytes = 0;
        for await (const audio of connection.speak('Hello.')) bytes += audio.length;
        return bytes;
      } finally {
        connection.close();
      }
    },
    isOurs: isError(SpeechError),
  },
  'relay, from a page': {
    seeds: packed(
      { event: 'start', request: speech },
      { event: 'text', text: 'Hello. ' },
      { event: 'flush' },
    ),
    read(pieces) {
      frame = encode({ event: 'audio', audio: new Uint8Array(4) });
      return throughRelay(Buffer.concat(pieces));
    },
    isOurs: () => false,
  },
  'relay, from the service': {
    seeds: packed({ event: 'audio', audio: Buffer.alloc(40) }, { event: 'error', error: 'no', status: 402 }),
    read(pieces) {
      frame = Buffer.concat(pieces);
      return throughRelay(encode({ event: 'text', text: 'Hello.' }));
    },
    isOurs: () => false,
  },
  'ticket of a relay': {
    seeds: [Buffer.from(await newTickets().issue({ user: 'anna', formats: ['mp3'] }))],
    read: (pieces) => newTickets().redeem(Buffer.concat(pieces).toString('latin1')),
    isOurs: (error) => error instanceof RelayRefusal,
  },
  'recorded traffic': {
    seeds: [...json(har), ...transcripts],
    async read(pieces) {
      writeFileSync(file, Buffer.concat(pieces));
      return (await check([file])).findings.length;
    },
    isOurs: (error) => error instanceof CannotJudge,
  },
  'data of the sandbox': {
    seeds: json({ accounts: [account], models: [{ ...voice, samples: [] }], prices: { tts: '1' } }),
    async read(pieces) {
      writeFileSync(file, Buffer.concat(pieces));
      await (await startSandbox({ seed: file, speech: silent })).close();
    },
    isOurs: (error) => error instanceof Error && error.message.includes(file),
  },
  'configuration of the command': {
    seeds: json({ profile: 'a', profiles: { a: { base_url: 'http://a', model: 's1' } }, prices: {} }),
    read(pieces) {
      writeFileSync(file, Buffer.concat(pieces));
      return runWith({ HOME: folder, SPEECH_CONFIG: file }, [speechPath, 'config']);
    },
    isOurs: () => false,
  },
  'configuration of the relay': {
    seeds: json({ webSocketUrl: 'wss://a', origins: ['https://a'], port: 0, limits: { sessions: 3 } }),
    read(pieces) {
      writeFileSync(file, Buffer.concat(pieces));
      const secrets = { SPEECH_API_KEY: 'a', SPEECH_RELAY_TICKET_SECRET: 'a'.repeat(32) };
      return runWith({ ...secrets, SPEECH_RELAY_CONFIG: file }, [relayBinary]);
    },
    isOurs: () => false,
  },
};
