import { measureAudio } from '@speech-api/audio';
import { NotFoundError } from '@speech-api/client';
import type { CreateModelRequest } from '@speech-api/types';
import { expect, test } from 'vitest';
import { errorOf } from './testing/error-of.ts';
import { testWithState } from './testing/needs-state.ts';
import { useOwnService } from './testing/use-service.ts';

const service = useOwnService();
const text = 'The ferry leaves at noon, and the gulls leave with it.';

async function recording(): Promise<Uint8Array<ArrayBuffer>> {
  return (await service.client().speech.create({ text, format: 'wav', sample_rate: 16000 })).bytes();
}

async function newVoice(): Promise<CreateModelRequest> {
  return {
    type: 'tts',
    title: 'Harbour',
    train_mode: 'fast',
    visibility: 'private',
    description: 'Calm.',
    tags: ['calm', 'sea'],
    voices: [await recording()],
    texts: [text],
  };
}

test('a recording is transcribed, with segments and without', async () => {
  const { transcriptions } = service.client();
  const audio = await recording();
  const timed = await transcriptions.create({ audio, language: 'en', ignore_timestamps: false });
  expect(timed.text).not.toBe('');
  expect(timed.duration).toBeGreaterThan(0);
  for (const { start, end } of timed.segments) {
    expect(start).toBeLessThanOrEqual(end);
    expect(end).toBeLessThanOrEqual(timed.duration);
  }
  expect((await transcriptions.create({ audio })).segments).toEqual([]);
});

test('a voice model is created as it was described', async () => {
  const { models } = service.client();
  const voice = await models.create(await newVoice());
  expect(voice).toMatchObject({
    type: 'tts',
    title: 'Harbour',
    state: 'trained',
    visibility: 'private',
    description: 'Calm.',
    tags: ['calm', 'sea'],
  });
  expect(await models.update(voice._id, { title: 'Dusk', tags: ['evening'] })).toBeUndefined();
  expect(await models.get(voice._id)).toMatchObject({ _id: voice._id });
  expect(await models.delete(voice._id)).toBeUndefined();
});

testWithState('what was created is found, changed and gone', async () => {
  const { models } = service.client();
  const { _id } = await models.create(await newVoice());
  await models.update(_id, { title: 'Dusk' });
  expect(await models.get(_id)).toMatchObject({ title: 'Dusk', tags: ['calm', 'sea'] });
  await models.delete(_id);
  expect(await errorOf(models.get(_id))).toBeInstanceOf(NotFoundError);
});

test('speech with samples is audio of the format that was asked for', async () => {
  const audio = await recording();
  const references = [{ audio, text }];
  const speech = await service.client().speech.create({ text, format: 'opus', references });
  expect(measureAudio(await speech.bytes(), 'opus')).toMatchObject({ sampleRate: 48000, channels: 1 });
});

test('an unknown path and an unknown method say what there is', async () => {
  const headers = { authorization: 'Bearer sandbox-key' };
  const path = await fetch(`${service.url}/v1/asrr`, { headers });
  expect([path.status, await path.json()]).toMatchObject([
    404,
    { message: expect.stringContaining('/v1/asr') },
  ]);
  const method = await fetch(`${service.url}/model`, { method: 'DELETE', headers });
  expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET, POST']);
});
