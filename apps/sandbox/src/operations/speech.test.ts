import { defaultModel, synthesisDefaults } from '@speech-api/types';
import { expect, test } from 'vitest';
import type { SpeechJob } from '../speech/job.ts';
import { profileForVoice } from '../speech/prosody.ts';
import { createFakeSpeech } from '../testing/fake-speech.ts';
import { speak, start } from '../testing/sandboxes.ts';
import { makeWav } from '../uploads/testing/sounds.ts';
import { createJob } from './speech.ts';

const speakers = [profileForVoice('sandbox-alba')];

test('takes the defaults of the table for what is left out, and for null', () => {
  const job = createJob({ text: 'a' }, undefined, speakers);
  const { format, mp3_bitrate, opus_bitrate, chunk_length, latency } = synthesisDefaults;
  expect(job).toMatchObject({
    format,
    mp3_bitrate,
    opus_bitrate,
    chunk_length,
    latency,
    model: defaultModel,
  });
  expect(job).toMatchObject({ format: 'mp3', sample_rate: 44100, mp3_bitrate: 128, opus_bitrate: -1000 });
  expect(createJob({ text: 'a', sample_rate: null, prosody: null }, undefined, speakers)).toEqual(job);
  // Neither of these changes how the sandbox speaks.
  const others = { repetition_penalty: 2, early_stop_threshold: 0.1 };
  expect(createJob({ text: 'a', ...others }, undefined, speakers)).toEqual(job);
});

const sample = (number: number) => ({
  audio: Buffer.from(makeWav(number * 110)).toString('base64'),
  text: 'a sample',
});

async function profilesOf(body: Readonly<Record<string, unknown>>): Promise<SpeechJob['speakers']> {
  const speech = createFakeSpeech();
  const response = await speak(await start({ speech }), { text: 'a', ...body });
  expect(response.status).toBe(200);
  return speech.jobs[0]?.speakers ?? [];
}

async function speakersOf(body: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  return (await profilesOf(body)).map((speaker) => speaker.id);
}

test('speaks with the saved voice that is named', async () => {
  const [voice] = await profilesOf({ reference_id: 'sandbox-mei' });
  expect(voice).toMatchObject({ id: 'sandbox-mei', languages: ['zh'] });
});

test('speaks a dialogue with its voices in their order', async () => {
  expect(await speakersOf({ reference_id: ['sandbox-cleo', 'sandbox-alba'] })).toEqual([
    'sandbox-cleo',
    'sandbox-alba',
  ]);
});

test('gives the same samples the same voice, other samples another', async () => {
  const [first] = await speakersOf({ references: [sample(1)] });
  expect(await speakersOf({ references: [sample(1)] })).toEqual([first]);
  expect(await speakersOf({ references: [sample(2)] })).not.toEqual([first]);
});

test.each(['no-such-voice', 'sandbox-foreign'])(
  'refuses the voice %s, which is not there for this key',
  async (id) => {
    const response = await speak(await start(), { text: 'a', reference_id: id });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ status: 400, message: expect.stringContaining(`"${id}"`) });
  },
);

test('speaks with --lenient what public clients send by default, with a voice chosen from the id', async () => {
  const speech = createFakeSpeech();
  const lenient = await start({ speech, lenient: true });
  const body = { text: 'a', references: [], prosody: null, latency: null, opus_bitrate: 32, features: ['x'] };
  for (const reference_id of ['of-the-service', 'of-the-service', 'another', null]) {
    expect((await speak(lenient, { ...body, reference_id })).status).toBe(200);
  }
  const [first, second, third, fourth] = speech.jobs.map((job) => job.speakers);
  expect(first).toEqual([profileForVoice('of-the-service')]);
  expect(second).toEqual(first);
  expect(third).toEqual([profileForVoice('another')]);
  expect(fourth).toEqual(speakers);
  expect((await speak(lenient, { text: 'a', reference_id: 'sandbox-foreign' })).status).toBe(400);
});

test('gives each speaker of a zero-shot dialogue the voice of its samples, whatever the names are', async () => {
  const references = [[sample(1)], [sample(2)]];
  // These voices belong to another user or do not exist, so their ids count as plain names.
  const named = await profilesOf({ reference_id: ['sandbox-foreign', 'no such voice'], references });
  const [[first], [second]] = [
    await profilesOf({ references: [sample(1)] }),
    await profilesOf({ references: [sample(2)] }),
  ];
  expect(named).toEqual([first, second]);
});

test('speaks with the voice of the samples when a saved voice is named as well', async () => {
  const samples = await speakersOf({ references: [sample(1)] });
  expect(await speakersOf({ reference_id: 'sandbox-mei', references: [sample(1)] })).toEqual(samples);
});

test.each([
  ['references[1].audio', { references: [sample(1), { audio: 'AAAA', text: 'no audio' }] }],
  [
    'references[1][0].audio',
    { reference_id: ['a', 'b'], references: [[sample(1)], [{ audio: 'AAAA', text: 'no audio' }]] },
  ],
])('refuses a damaged sample by its name, %s, and bills nothing', async (field, body) => {
  const speech = createFakeSpeech();
  const response = await speak(await start({ speech }), { text: 'a', ...body });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ status: 400, message: expect.stringContaining(`\`${field}\``) });
  expect(speech.jobs).toEqual([]);
});
