import { measureAudio } from '@speech-api/audio';
import { BadRequestError, InvalidRequestError } from '@speech-api/client';
import type { SynthesisRequest } from '@speech-api/types';
import { expect, test } from 'vitest';
import { errorOf } from './testing/error-of.ts';
import { testWithState } from './testing/needs-state.ts';
import { useService } from './testing/use-service.ts';

const service = useService();
const turns = '<|speaker:0|>Good morning.<|speaker:1|>And a good morning to you.';

async function speak(request: SynthesisRequest, options = {}): Promise<Uint8Array> {
  return (await service.client().speech.create(request, options)).bytes();
}

/** A sample as a caller would have it: speech in a wav file. */
async function sample(): Promise<Uint8Array<ArrayBuffer>> {
  return (
    await service.client().speech.create({ text: 'This is a sample of my voice.', format: 'wav' })
  ).bytes();
}

test('samples go as MessagePack in every kind of binary, and are heard alike', async () => {
  const bytes = await sample();
  const results: Uint8Array[] = [];
  for (const audio of [
    bytes,
    bytes.buffer,
    new Blob([bytes]),
    new File([bytes], 'a.wav'),
    Buffer.from(bytes),
  ]) {
    results.push(
      await speak({
        text: 'Cloned.',
        format: 'pcm',
        references: [{ audio, text: 'This is a sample of my voice.' }],
      }),
    );
  }
  expect(measureAudio(results[0] ?? new Uint8Array(), 'pcm').seconds).toBeGreaterThan(0.3);
  for (const result of results) expect(Buffer.compare(result, results[0] ?? new Uint8Array())).toBe(0);
});

test('a megabyte of samples arrives whole beside the other fields', async () => {
  const one = await sample();
  const references = Array.from({ length: 8 }, () => ({ audio: one, text: 'This is a sample of my voice.' }));
  const audio = await speak({
    text: 'Many samples.',
    format: 'wav',
    sample_rate: 8000,
    references,
    prosody: null,
  });
  expect(measureAudio(audio, 'wav').sampleRate).toBe(8000);
});

testWithState('a dialogue is spoken by two voices', async () => {
  const two = await speak({ text: turns, format: 'pcm', reference_id: ['sandbox-alba', 'sandbox-blake'] });
  const one = await speak({ text: turns, format: 'pcm', reference_id: ['sandbox-alba', 'sandbox-alba'] });
  expect(measureAudio(two, 'pcm').seconds).toBeGreaterThan(1);
  expect(Buffer.compare(one, two)).not.toBe(0);
});

test('the tags of a dialogue are not among its timed words', async () => {
  const request = { text: turns, format: 'opus', reference_id: ['sandbox-alba', 'sandbox-blake'] } as const;
  const stream = await service
    .client()
    .speech.streamWithTimestamps({ ...request, reference_id: [...request.reference_id] });
  const { timeline } = await stream.collect();
  const words = timeline.segments.map(({ text }) => text.toLowerCase());
  expect(words).toEqual(['good', 'morning', 'and', 'a', 'good', 'morning', 'to', 'you']);
});

test.each([
  ['a dialogue without tags', 'Good morning.', ['sandbox-alba', 'sandbox-blake']],
  ['a dialogue with text before its first tag', `Well. ${turns}`, ['sandbox-alba', 'sandbox-blake']],
  ['a text of blanks', '   ', undefined],
])('%s is spoken', async (_name, text, reference_id) => {
  const request = { text, format: 'pcm', ...(reference_id && { reference_id }) } as SynthesisRequest;
  expect((await speak(request)).length).toBeGreaterThan(1_000);
});

test('a dialogue of samples takes identifiers that nobody knows', async () => {
  const audio = await sample();
  const reference = { audio, text: 'This is a sample of my voice.' };
  const request = { text: turns, reference_id: ['first', 'second'], references: [[reference], [reference]] };
  expect(measureAudio(await speak({ ...request, format: 'pcm' }), 'pcm').seconds).toBeGreaterThan(1);
});

test('the later models speak with one voice', async () => {
  for (const model of ['s1', 's2.1-pro', 's2.1-pro-free']) {
    expect((await speak({ text: 'Hello.', format: 'pcm' }, { model })).length).toBeGreaterThan(10_000);
  }
});

testWithState('a voice that does not exist is refused by its name', async () => {
  for (const reference_id of ['nobody', ['sandbox-alba', 'nobody']]) {
    const error = await errorOf(speak({ text: 'Hello.', reference_id } as SynthesisRequest));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ message: expect.stringContaining('nobody') });
  }
});

test('samples of the wrong shape are refused by the service, each with its field', async () => {
  const bad = { text: 'Hello.', references: [{ audio: await sample() }] } as unknown as SynthesisRequest;
  const error = await errorOf(speak(bad));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({ message: expect.stringMatching(/references.*text/) });
});
