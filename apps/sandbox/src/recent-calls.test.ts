import { readWavHeader } from '@speech-api/audio';
import { expect, test } from 'vitest';
import { createRecentCalls, playable, type SpeechAsked } from './recent-calls.ts';

const call = { method: 'POST', path: '/v1/tts', trace_id: 'f'.repeat(32) };
const request: SpeechAsked = {
  text: 'é'.repeat(200),
  model: 's1',
  format: 'pcm',
  sample_rate: 8000,
  latency: 'low',
};

test('lists the latest first and forgets the oldest', () => {
  const calls = createRecentCalls({ calls: 2 });
  for (let count = 0; count < 3; count += 1) calls.begin(call);
  expect(calls.list().map(({ id }) => id)).toEqual([3, 2]);
  expect(calls.list()[0]).toEqual({
    id: 3,
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    ...call,
    state: 'under way',
  });
});

test('keeps audio up to its limit, the latest longest', () => {
  const calls = createRecentCalls({ audioBytes: 250 });
  for (let count = 0; count < 3; count += 1) {
    const recorder = calls.begin(call);
    recorder.speaks(request);
    recorder.audio(new Uint8Array(60));
    recorder.audio(new Uint8Array(40));
  }
  expect(calls.list().map(({ speech }) => speech?.audio_kept)).toEqual([true, true, false]);
  expect(calls.audio(1)).toBeUndefined();
  expect(calls.audio(3)?.pieces).toHaveLength(2);
});

test('makes pcm a wav file, and gives a streamed wav its true sizes', () => {
  const pcm = playable({ asked: request, pieces: [new Uint8Array(60), new Uint8Array(40)] });
  expect(pcm.mediaType).toBe('audio/wav');
  expect(readWavHeader(pcm.bytes)).toMatchObject({ declaredDataBytes: 100, sampleRate: 8000, channels: 1 });
  const streamed = Buffer.from(pcm.bytes);
  expect(streamed.readUInt32LE(4)).toBe(136);
  streamed.writeUInt32LE(0xffffffff, 40);
  const wav = playable({ asked: { ...request, format: 'wav' }, pieces: [streamed] });
  expect(readWavHeader(wav.bytes)?.declaredDataBytes).toBe(100);
  expect(streamed.readUInt32LE(40)).toBe(0xffffffff);
});
