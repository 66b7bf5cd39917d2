import { encode } from '@msgpack/msgpack';
import {
  defaultModel,
  type ReferenceAudio,
  type SynthesisRequest,
  synthesisDefaults,
} from '@speech-api/types';
import { expect, test } from 'vitest';
import type { SpeechJob } from './speech/job.ts';
import { profileForVoice } from './speech/voice-profile.ts';
import { createJob, type VoiceSources, voicesOf } from './synthesis.ts';
import { createCountingUploads } from './testing/counting-uploads.ts';
import { createFakeSpeech } from './testing/fake-speech.ts';
import { makeWav } from './testing/make-wav.ts';
import { makeModel } from './testing/models.ts';
import { speak, speechHeaders, start } from './testing/sandboxes.ts';
import { writeWav } from './uploads/testing/make-files.ts';
import { encode as encodeAudio, voiceLike } from './uploads/testing/sounds.ts';

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
});

test('speaks in the same way whatever repetition_penalty and early_stop_threshold are', () => {
  const job = createJob({ text: 'a' }, undefined, speakers);
  expect(createJob({ text: 'a', repetition_penalty: 2 }, undefined, speakers)).toEqual(job);
  expect(createJob({ text: 'a', early_stop_threshold: 0.1 }, undefined, speakers)).toEqual(job);
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

/** Variants of the engine with a low voice. */
const lowVariant = /^(?:m\d|adam)$/;

/** Two seconds of a voice at a pitch, as a wav file. */
const voiceAt = (pitch: number): Uint8Array =>
  writeWav(voiceLike(2, pitch, 4, 16_000), { sampleRate: 16_000 });

test('speaks with the saved voice that is named', async () => {
  expect(await speakersOf({ reference_id: 'sandbox-mei' })).toEqual(['sandbox-mei']);
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

test('makes a voice as high as the samples, alike from MessagePack and from base64 in JSON', async () => {
  const [low, high] = [voiceAt(90), voiceAt(280)];
  const reference = (audio: Uint8Array) => ({
    audio: Buffer.from(audio).toString('base64'),
    text: 'a sample',
  });
  const [deep] = await profilesOf({ references: [reference(low)] });
  const [bright] = await profilesOf({ references: [reference(high)] });
  expect(deep?.variant).toMatch(lowVariant);
  expect(bright?.variant).not.toMatch(lowVariant);

  const speech = createFakeSpeech();
  const sandbox = await start({ speech });
  for (const audio of [low, high]) {
    const response = await fetch(`${sandbox.url}/v1/tts`, {
      method: 'POST',
      headers: { ...speechHeaders, 'content-type': 'application/msgpack' },
      body: encode({ text: 'a', references: [{ audio, text: 'a sample' }] }),
    });
    expect(response.status).toBe(200);
  }
  expect(speech.jobs.map(({ speakers }) => speakers)).toEqual([[deep], [bright]]);
});

test('gives each speaker of a zero-shot dialogue the voice of its samples, whatever the names are', async () => {
  const reference = (pitch: number) => ({
    audio: Buffer.from(voiceAt(pitch)).toString('base64'),
    text: 'a sample',
  });
  const references = [[reference(90)], [reference(280)]];
  // A voice of somebody else, and one that is not there: names, and no more than that.
  const named = await profilesOf({ reference_id: ['sandbox-foreign', 'no such voice'], references });
  expect(await profilesOf({ reference_id: ['a', 'b'], references })).toEqual(named);
  const [[deep], [bright]] = [
    await profilesOf({ references: [reference(90)] }),
    await profilesOf({ references: [reference(280)] }),
  ];
  expect(named).toEqual([deep, bright]);
});

test('speaks with the voice of the samples when a saved voice is named as well', async () => {
  const samples = await speakersOf({ references: [sample(1)] });
  expect(await speakersOf({ reference_id: 'sandbox-mei', references: [sample(1)] })).toEqual(samples);
});

test('section 2.1: gives one clip the same pitch and rate, whether it comes with the request or made a saved voice', async () => {
  const audio = await encodeAudio(voiceLike(3, 200));
  const speech = createFakeSpeech();
  const sandbox = await start({ speech });
  const { _id } = await makeModel(sandbox, { voices: [audio], texts: ['a sample'] });
  await (await speak(sandbox, { text: 'a', reference_id: _id })).bytes();
  const references = [{ audio: Buffer.from(audio).toString('base64'), text: 'a sample' }];
  await (await speak(sandbox, { text: 'a', references })).bytes();
  const [[saved] = [], [inline] = []] = speech.jobs.map(({ speakers }) => speakers);
  expect(inline?.rate).toBe(saved?.rate);
  expect(Math.abs((inline?.pitch ?? 0) - (saved?.pitch ?? 0))).toBeLessThan(50);
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

test.each([
  ['of one voice', (samples: ReferenceAudio[]) => ({ references: samples })],
  [
    'of a dialogue',
    ([one, ...others]: ReferenceAudio[]) => ({
      reference_id: ['a', 'b'],
      references: [one ? [one] : [], others],
    }),
  ],
])(
  'reads the samples %s one after another: those of one request are never all decoded at once',
  async (_, body) => {
    const uploads = createCountingUploads({ readable: true });
    const samples = Array.from({ length: 5 }, (_, number) => ({
      audio: Buffer.of(number),
      text: 'a sample',
    }));
    const request = { text: 'a', ...body(samples) } as SynthesisRequest;
    const { signal } = new AbortController();
    await voicesOf(request, { uploads, signal } as unknown as VoiceSources);
    expect(uploads).toMatchObject({ read: 5, atOnce: 1 });
  },
);
