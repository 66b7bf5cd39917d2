import { audioFormats, defaultModel, synthesisDefaults } from '@speech-api/types';
import { expect, it } from 'vitest';
import { profileForVoice } from '../speech/index.ts';
import { createJob } from './job.ts';

const speakers = [profileForVoice('sandbox-alba')];

it('takes the defaults of the table for what is left out, and for null', () => {
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

it('takes the rate of the format where none is given', () => {
  const rates = audioFormats.map((format) => [
    format,
    createJob({ text: 'a', format }, undefined, speakers).sample_rate,
  ]);
  expect(Object.fromEntries(rates)).toEqual({ wav: 44100, pcm: 44100, mp3: 44100, opus: 48000 });
});

it('speaks in the same way whatever repetition_penalty and early_stop_threshold are', () => {
  const job = createJob({ text: 'a' }, undefined, speakers);
  expect(createJob({ text: 'a', repetition_penalty: 2 }, undefined, speakers)).toEqual(job);
  expect(createJob({ text: 'a', early_stop_threshold: 0.1 }, undefined, speakers)).toEqual(job);
});
