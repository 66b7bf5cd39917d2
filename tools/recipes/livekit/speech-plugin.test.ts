import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import {
  Agent,
  AgentSession,
  initializeLogger,
  type tts,
  USERDATA_TIMED_TRANSCRIPT,
  voice,
} from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { writeWavHeader } from '@speech-api/audio';
import { createSpeechClient, type SpeechClient } from '@speech-api/client';
import { type RunningSandbox, startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { SpeechSTT, SpeechTTS, type SpeechTTSOptions } from './speech-plugin.ts';

const sampleRate = 24_000;
const patient = { timeout: 100_000 };
let sandbox: RunningSandbox;
let client: SpeechClient;

beforeAll(async () => {
  initializeLogger({ pretty: false, level: 'silent' });
  sandbox = await startSandbox({ port: 0, logger: () => {} });
  client = createSpeechClient({ baseUrl: sandbox.url, apiKey: 'sandbox-key' });
  // The first sentence of a sandbox takes a few seconds.
  await (await client.speech.create({ text: 'Good morning.' })).bytes();
});

afterAll(() => sandbox?.close());

function openTTS(options: SpeechTTSOptions = {}): SpeechTTS {
  const opened = new SpeechTTS({ client, ...options });
  onTestFinished(() => opened.close());
  return opened;
}

const timedWords = (frame: AudioFrame): voice.TimedString[] =>
  (frame.userdata[USERDATA_TIMED_TRANSCRIPT] ?? []) as voice.TimedString[];
const joined = (words: readonly voice.TimedString[]): string => words.map(({ text }) => text).join('');

/** A loudspeaker that stops at `limit` until it is interrupted, so that no clock decides what was heard. */
class Loudspeaker extends voice.AudioOutput {
  limit = Number.POSITIVE_INFINITY;
  #frames: AudioFrame[] = [];

  constructor() {
    super(sampleRate);
  }

  get seconds(): number {
    return this.#frames.reduce((sum, { samplesPerChannel }) => sum + samplesPerChannel / sampleRate, 0);
  }

  played(): Blob {
    const samples = this.#frames.flatMap(({ data }) => [...data]).slice(0, this.limit * sampleRate);
    const header = writeWavHeader({ sampleRate, dataBytes: samples.length * 2 });
    return new Blob([header, Int16Array.from(samples)], { type: 'audio/wav' });
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    await super.captureFrame(frame);
    this.#frames.push(frame);
    if (this.#frames.length === 1) this.onPlaybackStarted(Date.now());
  }

  override flush(): void {
    super.flush();
    if (this.seconds <= this.limit) this.#finish(this.seconds, false);
  }

  override clearBuffer(): void {
    this.#finish(Math.min(this.limit, this.seconds), true);
    this.limit = Number.POSITIVE_INFINITY;
  }

  #finish(playbackPosition: number, interrupted: boolean): void {
    if (this.#frames.length === 0) return;
    const words = this.#frames.flatMap(timedWords);
    const played = words.filter(({ endTime = 0 }) => endTime <= playbackPosition);
    this.#frames = [];
    this.onPlaybackFinished({ playbackPosition, interrupted, synchronizedTranscript: joined(played) });
  }
}

const microphoneRate = 16_000;

/** The samples of a text in the sandbox's voice, followed by two seconds of silence. */
async function recorded(text: string): Promise<Int16Array<ArrayBuffer>> {
  const speech = await client.speech.create({ text, format: 'pcm', sample_rate: microphoneRate });
  const bytes = await speech.bytes();
  const samples = new Int16Array(bytes.length / 2 + 2 * microphoneRate);
  samples.set(new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2));
  return samples;
}

class Microphone extends voice.AudioInput {
  readonly #sound = new TransformStream<AudioFrame, AudioFrame>();
  readonly #writer = this.#sound.writable.getWriter();

  constructor() {
    super();
    this.multiStream.addInputStream(this.#sound.readable as never);
  }

  /** Sends the samples no faster than a microphone would. */
  async say(samples: Int16Array<ArrayBuffer>): Promise<void> {
    const length = microphoneRate / 50;
    for (let from = 0; from + length <= samples.length; from += length) {
      await this.#writer.write(new AudioFrame(samples.slice(from, from + length), microphoneRate, 1, length));
      await setTimeout(20);
    }
  }
}

/** A language model with one answer, and another for everything else. */
class TwoAnswers extends voice.testing.FakeLLM {
  override lookup(input: string): voice.testing.FakeLLMResponse {
    const content =
      input === 'Where is the harbour?'
        ? 'The harbour is at the end of this street, behind the old market. The boats leave at seven.'
        : 'The next one leaves at noon.';
    return { input, content, ttft: 0, duration: 0 };
  }
}

test('after a barge-in the conversation holds what was heard and no more', async () => {
  const session = new AgentSession({
    llm: new TwoAnswers(),
    tts: openTTS(),
    stt: new SpeechSTT({ client }),
    turnHandling: { turnDetection: 'vad' },
    // The first three seconds, in which LiveKit cannot be interrupted.
    aecWarmupDuration: null,
  });
  onTestFinished(() => session.close());
  const failures: unknown[] = [];
  session.on(voice.AgentSessionEventTypes.Error, ({ error }) => failures.push(error));
  const loudspeaker = new Loudspeaker();
  const microphone = new Microphone();
  session.output.audio = loudspeaker;
  session.input.audio = microphone;
  const messages = () => session.history.items.filter((item) => item.type === 'message');
  const question = await recorded('Stop it now and tell me when the next boat leaves.');
  await session.start({ agent: new Agent({ instructions: 'Answer in one sentence.' }), record: false });

  loudspeaker.limit = 2;
  session.generateReply({ userInput: 'Where is the harbour?' });
  await expect.poll(() => loudspeaker.seconds, patient).toBeGreaterThan(loudspeaker.limit + 1);
  const played = loudspeaker.played();
  await microphone.say(question);
  await expect.poll(() => messages().length, patient).toBe(4);

  const log = messages().map(({ role, interrupted, textContent }) => ({ role, interrupted, textContent }));
  expect(log).toEqual([
    { role: 'user', interrupted: false, textContent: 'Where is the harbour?' },
    { role: 'assistant', interrupted: true, textContent: 'The harbour is at the end of this street' },
    { role: 'user', interrupted: false, textContent: expect.stringMatching(/./) },
    { role: 'assistant', interrupted: false, textContent: 'The next one leaves at noon.' },
  ]);
  // The same words are in the audio alone.
  const { text } = await client.transcriptions.create({ audio: played });
  expect(text.replace(/,$/, '')).toBe(log[1]?.textContent);
  expect(failures).toEqual([]);
});

test('the words of an answer come with its frames, in time and exactly as they were written', async () => {
  const text = 'It’s half past seven — the boat (the big one) costs 12.50. Come!';
  const stream = openTTS().stream();
  for (const piece of text.match(/.{1,4}/gsu) ?? []) stream.pushText(piece);
  stream.endInput();
  const audio: tts.SynthesizedAudio[] = [];
  for await (const event of stream) if (typeof event !== 'symbol') audio.push(event);
  const words = audio.flatMap(({ timedTranscripts }) => timedTranscripts ?? []);
  expect(joined(words)).toBe(text);
  expect(words.length).toBeGreaterThan(8);
  expect(audio.map(({ final }) => final).indexOf(true)).toBe(audio.length - 1);
  let seconds = 0;
  for (const { frame, timedTranscripts = [], final } of audio) {
    seconds += frame.samplesPerChannel / frame.sampleRate;
    for (const { endTime = 0 } of final ? [] : timedTranscripts) expect(endTime).toBeLessThanOrEqual(seconds);
  }
});

test('a flush ends an utterance, and punctuation alone is no utterance', async () => {
  const stream = openTTS({ timestamps: false }).stream();
  for (const text of ['One.', '…', 'Two.']) {
    stream.pushText(text);
    stream.flush();
  }
  stream.endInput();
  const segments = new Set<string>();
  for await (const event of stream) if (typeof event !== 'symbol') segments.add(event.segmentId);
  expect(segments.size).toBe(2);
});

test('a whole text is one sound at the rate that was asked for, over a connection that was warm', async () => {
  const owner = openTTS({ sampleRate: 16_000 });
  owner.prewarm();
  const connection = await owner.takeConnection();
  expect(connection.isReady).toBe(true);
  owner.returnConnection(connection);
  const frame = await owner.synthesize('Good evening.').collect();
  expect(frame.sampleRate).toBe(16_000);
  expect(frame.samplesPerChannel / frame.sampleRate).toBeGreaterThan(0.5);
});

test('speech to text passes on the words and the length', async () => {
  const samples = await recorded('The tide comes in at seven.');
  const stt = new SpeechSTT({ client, language: 'en' });
  const half = samples.length >> 1;
  const event = await stt.recognize(
    [samples.slice(0, half), samples.slice(half)].map(
      (part) => new AudioFrame(part, microphoneRate, 1, part.length),
    ),
  );
  expect(event.alternatives?.[0]).toMatchObject({ text: 'The tide comes in at seven.', language: 'en' });
  // This is shorter than the service accepts, so silence is appended.
  const short = new AudioFrame(samples.slice(0, 1600), microphoneRate, 1, 1600);
  expect((await stt.recognize(short)).alternatives?.[0].endTime).toBe(1);
});

type TTSError = Parameters<tts.TTSCallbacks['error']>[0];

test.each([
  // This port is used instead of 1, which fetch refuses.
  ['no server answers', () => 'http://127.0.0.1:2', 'APIConnectionError', true],
  ['the key is wrong', () => sandbox.url, 'APIStatusError', false],
])('an error says whether another attempt may help: %s', async (_, address, name, retryable) => {
  const client = createSpeechClient({ baseUrl: address(), apiKey: 'wrong' });
  const owner = openTTS({ client: client });
  const errors: TTSError[] = [];
  owner.on('error', (event) => errors.push(event));
  const stream = owner.stream({ connOptions: { maxRetry: 1, retryIntervalMs: 1, timeoutMs: 10_000 } });
  stream.pushText('Good evening.');
  stream.endInput();
  for await (const _ of stream);
  expect(errors.map(({ error }) => error)).toMatchObject([{ name, retryable }]);
  const recognized = new SpeechSTT({ client: client }).recognize(
    new AudioFrame(new Int16Array(microphoneRate), microphoneRate, 1, microphoneRate),
  );
  await expect(recognized).rejects.toMatchObject({ name, retryable });
});

test('text that was sent is not sent again by another attempt', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  let texts = 0;
  server.on('connection', (socket) =>
    socket.on('message', (message) => {
      if (!String(message).includes('text')) return;
      if (String(message).includes('Good evening')) texts += 1;
      if (texts > 0) socket.terminate();
    }),
  );
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const owner = openTTS({ client: createSpeechClient({ baseUrl, apiKey: 'any' }) });
  const errors: TTSError[] = [];
  owner.on('error', (event) => errors.push(event));
  const stream = owner.stream({ connOptions: { maxRetry: 3, retryIntervalMs: 1, timeoutMs: 10_000 } });
  stream.pushText('Good evening.');
  stream.endInput();
  for await (const _ of stream);
  expect(texts).toBe(1);
  expect(errors.map(({ error }) => error)).toMatchObject([{ name: 'APIConnectionError', retryable: false }]);
});
