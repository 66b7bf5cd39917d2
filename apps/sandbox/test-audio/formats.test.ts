import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mp3Bitrates, opusBitrates, sampleRates } from '@speech-api/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SpeechJob, SpeechService } from '../src/speech/job.ts';
import { createSpeechService } from '../src/speech/service.ts';
import { jobFor, speak } from '../src/speech/testing/speak.ts';
import { hasFfmpeg, probe } from './ffprobe.ts';

const tolerance = 0.15;
const installed = await hasFfmpeg();
const texts = {
  'a sentence': 'The quick brown fox jumps over the lazy dog.',
  'a passage': [
    'It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness.',
    'It was the epoch of belief, it was the epoch of incredulity; it was the season of light.',
    '今天天气很好，我们去公园散步。',
  ].join(' '),
};

type Choice = Pick<SpeechJob, 'format' | 'sample_rate'> &
  Partial<Pick<SpeechJob, 'mp3_bitrate' | 'opus_bitrate'>>;

const choices: Choice[] = [
  ...sampleRates.wav.map((sample_rate) => ({ format: 'wav' as const, sample_rate })),
  ...sampleRates.pcm.map((sample_rate) => ({ format: 'pcm' as const, sample_rate })),
  ...sampleRates.mp3.flatMap((sample_rate) =>
    mp3Bitrates.map((mp3_bitrate) => ({ format: 'mp3' as const, sample_rate, mp3_bitrate })),
  ),
  ...opusBitrates.map((opus_bitrate) => ({
    format: 'opus' as const,
    sample_rate: sampleRates.opus[0],
    opus_bitrate,
  })),
];

test('finds ffprobe and ffmpeg (needed where CI is set; without them the checks below are skipped)', ({
  skip,
}) => {
  if (!installed && !process.env.CI) skip('ffprobe and ffmpeg are not installed');
  expect(installed, 'CI is set, and ffprobe or ffmpeg is missing').toBe(true);
});

describe.skipIf(!installed)('by ffprobe and ffmpeg', () => {
  let service: SpeechService;
  let folder: string;

  beforeAll(async () => {
    service = createSpeechService();
    folder = await mkdtemp(join(tmpdir(), 'speech-audio-'));
    await service.ready();
  }, 60_000);

  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  for (const [name, text] of Object.entries(texts)) {
    test.each(choices)(
      `${name} as $format at $sample_rate Hz, $mp3_bitrate $opus_bitrate`,
      async (choice) => {
        const { audio, end, words } = await speak(service, jobFor(text, choice));
        const file = join(folder, `${Object.values(choice).join('-')}.${choice.format}`);
        await writeFile(file, audio);
        const found = await probe(file, inputOptions(choice));
        expect(found.codec).toBe(
          { wav: 'pcm_s16le', pcm: 'pcm_s16le', mp3: 'mp3', opus: 'opus' }[choice.format],
        );
        expect(found.sampleRate).toBe(choice.sample_rate);
        expect(found.channels).toBe(1);
        expect(Math.abs(found.duration - end)).toBeLessThan(tolerance);
        expect(words.at(-1)?.end).toBeLessThan(found.duration);
        const wanted = wantedBitrate(choice);
        if (wanted > 0)
          expect(Math.abs(found.bitrate / wanted - 1)).toBeLessThan(choice.format === 'opus' ? 0.15 : 0.02);
      },
    );
  }
});

/** Raw samples say nothing about themselves. */
function inputOptions({ format, sample_rate }: Choice): string[] {
  return format === 'pcm' ? ['-f', 's16le', '-ar', String(sample_rate), '-ac', '1'] : [];
}

/** bit/s; automatic ones are below zero. */
function wantedBitrate({ format, sample_rate, mp3_bitrate, opus_bitrate }: Choice): number {
  if (format === 'mp3') return (mp3_bitrate ?? 0) * 1000;
  return format === 'opus' ? (opus_bitrate ?? 0) : sample_rate * 16;
}
