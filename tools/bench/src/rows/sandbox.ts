import { createSpeechClient } from '@speech-api/client';
import { startSandbox } from '@speech-api/sandbox';
import { type AudioFormat, audioFormats } from '@speech-api/types';
import { interleave } from '../measure/interleave.ts';
import type { Result, Row } from '../row.ts';

const sentence = 'The quick brown fox jumps over the lazy dog.';
const paragraph = Array.from({ length: 12 }, () => sentence).join(' ');

export const sandboxSpeech: Row = {
  id: 'sandbox-speech',
  what: 'sandbox: first audio chunk of a short sentence, and speed',
  target: '<= 60 ms, >= 20 x real time for each format',
  async measure() {
    const sandbox = await startSandbox({ port: 0 });
    try {
      const client = createSpeechClient({ baseUrl: sandbox.url, apiKey: 'sandbox-key', model: 's2-pro' });
      const first = (format: AudioFormat) => async () => {
        const begin = performance.now();
        const audio = await client.speech.create({ text: sentence, format, reference_id: 'sandbox-alba' });
        let taken: number | undefined;
        for await (const _ of audio) taken ??= performance.now() - begin;
        return taken;
      };
      const whole = (format: AudioFormat) => async () => {
        const audio = await client.speech.create({ text: paragraph, format, reference_id: 'sandbox-alba' });
        await audio.bytes();
        return undefined;
      };
      const seconds = await secondsOf(client, paragraph);
      const chunks = await interleave(byFormat(first), 9);
      const times = await interleave(byFormat(whole), 5);
      return audioFormats.flatMap((format): Result[] => {
        const speed = (milliseconds: number) => (seconds * 1000) / milliseconds;
        const reference = (value: number) => ({ name: 'pcm, which needs no encoder', value });
        return [
          {
            variant: `${format}, first chunk`,
            ours: chunks[format],
            unit: 'ms',
            reference: reference(chunks.pcm),
            met: chunks[format] <= 60,
          },
          {
            variant: `${format}, speed`,
            ours: speed(times[format]),
            unit: 'x real time',
            reference: reference(speed(times.pcm)),
            met: speed(times[format]) >= 20,
          },
        ];
      });
    } finally {
      await sandbox.close();
    }
  },
};

function byFormat<Value>(make: (format: AudioFormat) => Value): Record<AudioFormat, Value> {
  return Object.fromEntries(audioFormats.map((format) => [format, make(format)])) as Record<
    AudioFormat,
    Value
  >;
}

/** How long the speech of a text is. */
async function secondsOf(client: ReturnType<typeof createSpeechClient>, text: string): Promise<number> {
  const sampleRate = 16_000;
  const request = { text, format: 'pcm', sample_rate: sampleRate, reference_id: 'sandbox-alba' } as const;
  const audio = await client.speech.create(request);
  return (await audio.bytes()).length / 2 / sampleRate;
}
