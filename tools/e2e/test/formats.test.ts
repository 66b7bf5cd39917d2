import { measureAudio } from '@speech-api/audio';
import { audioFormats, audioMediaTypes, defaultSampleRates, sampleRates } from '@speech-api/types';
import { expect, test } from 'vitest';
import { useService } from './testing/use-service.ts';

const service = useService();
const text = 'The tea is ready, and the bread is still warm.';
const combinations = audioFormats.flatMap((format) =>
  sampleRates[format].map((sample_rate) => ({ format, sample_rate })),
);

test.each(combinations)(
  '$format at $sample_rate Hz is whole and as long as its timeline says',
  async (audioOptions) => {
    const { format, sample_rate } = audioOptions;
    const stream = await service.client().speech.streamWithTimestamps({ text, ...audioOptions });
    const { audio, timeline } = await stream.collect();
    const measure = measureAudio(audio, format, { sampleRate: sample_rate });
    expect(measure).toMatchObject({ sampleRate: sample_rate, channels: 1, leftoverBytes: 0 });
    expect(measure.seconds).toBeGreaterThan(1.5);
    expect(Math.abs(measure.seconds - timeline.duration)).toBeLessThan(0.15);
  },
);

test.each(audioFormats)(
  '%s comes under its media type, at its default rate, with the trace id of the call',
  async (format) => {
    const audio = await service.client().speech.create({ text, format });
    expect(audio.contentType).toBe(audioMediaTypes[format]);
    expect(audio.headers.get('x-trace-id')).toBe(audio.traceId);
    const bytes = await audio.bytes();
    expect(measureAudio(bytes, format)).toMatchObject({
      sampleRate: defaultSampleRates[format],
      leftoverBytes: 0,
    });
  },
);

test('the same request gives the same bytes, with timestamps or without', async () => {
  const { speech } = service.client();
  const request = { text, format: 'pcm', reference_id: 'sandbox-blake' } as const;
  const first = await (await speech.create(request)).bytes();
  const second = await (await speech.create(request)).bytes();
  const { audio } = await (await speech.streamWithTimestamps(request)).collect();
  expect(Buffer.compare(first, second)).toBe(0);
  expect(Buffer.compare(first, audio)).toBe(0);
});
