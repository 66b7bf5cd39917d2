import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AuthenticationError,
  BadRequestError,
  createSpeechClient,
  InsufficientCreditError,
} from '@speech-api/client';
import { connectLive, type LiveSpeech } from '@speech-api/live';
import { startSandbox } from '@speech-api/sandbox';
import { audioFormats, defaultModel } from '@speech-api/types/constants';
import { describe, expect, onTestFinished, test } from 'vitest';
import { errorOf } from './testing/error-of.ts';
import { serviceKey, useService } from './testing/use-service.ts';

const sentence = 'The baker opens at six, and the first customers are already waiting outside. ';

async function bytesOf(speech: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const audio of speech) bytes += audio.length;
  return bytes;
}

/** Text as a language model writes it: a word at a time. */
async function* words(text: string): AsyncGenerator<string> {
  for (const word of text.split(/(?<= )/)) {
    await new Promise((resolve) => setImmediate(resolve));
    yield word;
  }
}

describe.each(['sandbox', 'mock'] as const)('against the %s', (name) => {
  const service = useService(name);

  test.each(audioFormats)('a text is spoken as %s, and again on the same socket', async (format) => {
    const connection = await connectLive(service.client(), { format });
    for (const reused of [false, true]) {
      const speech = connection.speak(sentence);
      expect(await bytesOf(speech)).toBeGreaterThan(1000);
      expect(speech.metrics).toMatchObject({ connectionReused: reused, characters: sentence.length });
    }
    connection.close();
  });

  test('text that is still being written is as long as the whole text', async () => {
    const request = { format: 'pcm', sample_rate: 16_000 } as const;
    const connection = await connectLive(service.client(), request);
    const text = sentence.repeat(4);
    const unheld = { aheadSeconds: Number.POSITIVE_INFINITY };
    const whole = await bytesOf(connection.speak(text, unheld));
    const written = await bytesOf(connection.speak(words(text), unheld));
    // The voice pauses at each end, and the cuts are others.
    expect(written / whole).toBeGreaterThan(0.8);
    expect(written / whole).toBeLessThan(1.25);
    connection.close();
  });

  test('the first clause is spoken while the rest is not written yet', async () => {
    const connection = await connectLive(service.client(), { format: 'pcm' });
    let heard: () => void = () => {};
    const firstAudio = new Promise<void>((resolve) => {
      heard = resolve;
    });
    async function* thinking(): AsyncGenerator<string> {
      yield 'Well, that is a good question, ';
      // Nothing more until the first clause was heard: a service that waits for more would wait for ever.
      await firstAudio;
      yield 'and I will think about it.';
    }
    for await (const _ of connection.speak(thinking())) heard();
    connection.close();
  });

  test('an interruption is followed by a clean utterance', async () => {
    const connection = await connectLive(service.client(), { format: 'pcm', sample_rate: 8000 });
    const alone = await bytesOf(connection.speak('Yes.'));
    for (let round = 0; round < 3; round += 1) {
      const speech: LiveSpeech = connection.speak(sentence.repeat(20));
      for await (const _ of speech) {
        // About fifteen characters a second, and never more than has come.
        expect(speech.interrupt({ playedMs: 1000 })).toMatchObject({
          heard: expect.stringMatching(/^The( baker( opens)?)?$/),
          estimated: true,
        });
      }
      expect(await bytesOf(connection.speak('Yes.'))).toBe(alone);
    }
    connection.close();
  });

  test('a refused upgrade and a refused message become the errors of the client', async () => {
    expect(await errorOf(connectLive(service.client({ apiKey: 'not-a-key' })))).toBeInstanceOf(
      AuthenticationError,
    );
    const connection = await connectLive(service.client(), { format: 'opus', sample_rate: 8000 } as never);
    const error = await errorOf(bytesOf(connection.speak('Hello.')));
    expect(error).toBeInstanceOf(BadRequestError);
    expect((error as Error).message).toContain('8000');
    connection.close();
  });
});

describe('against the sandbox alone', () => {
  const service = useService('sandbox');

  test('credit that runs out during a session is its own error, and what was never sent costs nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'speech-live-'));
    const seed = join(folder, 'seed.json');
    const account = { key: serviceKey, user: { _id: 'sandbox-user' }, api_credit: { credit: '1.00' } };
    const prices = { speech_per_byte: { [defaultModel]: '0.001' } };
    await writeFile(seed, JSON.stringify({ accounts: [account], prices }));
    const sandbox = await startSandbox({ port: 0, seed });
    onTestFinished(async () => {
      await sandbox.close();
      await rm(folder, { recursive: true });
    });
    const client = createSpeechClient({ baseUrl: sandbox.url, apiKey: serviceKey });
    const connection = await connectLive(client, { format: 'pcm' });
    const unheld = { aheadSeconds: Number.POSITIVE_INFINITY };
    const error = await errorOf(bytesOf(connection.speak(sentence.repeat(20), unheld)));
    expect(error).toBeInstanceOf(InsufficientCreditError);
    expect(error).toMatchObject({ status: 402, message: expect.stringMatching(/The request costs/) });

    const credit = async () => Number((await client.wallet.getApiCredit()).credit);
    await expect.poll(credit).toBe(1);
    const speech = connection.speak(sentence.repeat(12));
    for await (const _ of speech) break;
    // The first pieces alone are sent, while nothing of them was heard.
    expect(speech.metrics.characters).toBeLessThan(sentence.length * 6);
    const left = 1 - speech.metrics.characters / 1000;
    await expect.poll(credit).toBeGreaterThanOrEqual(left);
    await expect.poll(credit).toBeLessThan(1);
    connection.close();
  });

  test('word times come when they are asked for, and tell which words were heard', async () => {
    const connection = await connectLive(service.client(), { format: 'pcm' }, { timestamps: true });
    const speech = connection.speak('The tide comes in at seven.');
    expect(await bytesOf(speech)).toBeGreaterThan(10_000);
    const words = speech.timeline.segments.map(({ text }) => text);
    expect(words).toEqual(['The', 'tide', 'comes', 'in', 'at', 'seven']);
    const playedMs = (speech.timeline.segments[1]?.end ?? 0) * 1000 + 1;
    expect(speech.interrupt({ playedMs })).toMatchObject({ heard: 'The tide', estimated: false });
    connection.close();
  });
});
