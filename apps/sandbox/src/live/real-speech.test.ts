import { setTimeout as wait } from 'node:timers/promises';
import { readWavHeader } from '@speech-api/audio';
import { openLive } from '@speech-api/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOgg } from '../speech/testing/read-audio.ts';
import { type RunningSandbox, startSandbox } from '../start-sandbox.ts';
import { speak } from '../testing/sandboxes.ts';
import { sharedSpeech } from '../testing/shared-speech.ts';

let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ speech: sharedSpeech });
});

afterAll(() => sandbox.close());

const sentences = [
  'The tide comes in twice a day, and the boats rise with it. ',
  'Nobody in the village looks at the clock for that, because everybody can hear it. ',
  'When it goes out again, the children run down to the stones.',
];

const startIn = (format: string, more: object = {}) => ({
  event: 'start',
  request: { text: '', format, latency: 'balanced', ...more },
});

test.each(['wav', 'mp3', 'opus', 'pcm'])(
  'gives, joined, the very bytes of an ordinary call as %s, while the text still comes',
  async (format) => {
    const request = { text: sentences.join(''), format, latency: 'balanced' };
    const whole = await (await speak(sandbox, request)).bytes();
    const client = await openLive(sandbox);
    client.send(startIn(format));
    for (const [index, sentence] of sentences.entries()) {
      for (const word of sentence.match(/\S+\s*/gu) ?? []) client.send({ event: 'text', text: word });
      // The second sentence has begun: the first is spoken, though nobody knows yet how the text ends.
      if (index === 1) await client.next('audio');
    }
    client.send({ event: 'stop' });
    expect(await client.next('finish')).toMatchObject({ reason: 'stop' });
    expect(client.audio().equals(Buffer.from(whole))).toBe(true);
    client.socket.close();
  },
);

test('is one file, however often it is flushed: one header, one Ogg stream with its end', async () => {
  for (const format of ['wav', 'opus']) {
    const client = await openLive(sandbox);
    client.send(startIn(format));
    for (const sentence of sentences) {
      client.send({ event: 'text', text: sentence }, { event: 'flush' });
      await client.next('audio');
      await wait(50);
    }
    client.send({ event: 'stop' });
    await client.next('finish');
    const audio = client.audio();
    if (format === 'wav') {
      expect(readWavHeader(audio)?.dataOffset).toBe(44);
      expect(audio.indexOf('RIFF', 1)).toBe(-1);
    } else {
      const pages = readOgg(audio);
      expect(pages.map(({ isFirst }) => isFirst).lastIndexOf(true)).toBe(0);
      expect(pages.map(({ isLast }) => isLast).indexOf(true)).toBe(pages.length - 1);
    }
    client.socket.close();
  }
});
