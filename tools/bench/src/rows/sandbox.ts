import { createSpeechClient } from '@speech-api/client';
import { type AudioFormat, audioFormats } from '@speech-api/types';
import { type Contender, interleave, type Result, type Row } from '../measure.ts';
import { startServer } from '../processes.ts';

const sentence = 'The quick brown fox jumps over the lazy dog.';
const paragraph = Array.from({ length: 12 }, () => sentence).join(' ');

export const sandboxSpeech: Row = {
  id: 'sandbox-speech',
  what: 'sandbox: first audio chunk of a short sentence, and speed',
  target: '<= 60 ms, >= 20 x real time for each format',
  async measure() {
    await using sandbox = await startServer('sandbox');
    const client = createSpeechClient({ baseUrl: sandbox.url, apiKey: 'sandbox-key', model: 's2-pro' });
    const speak = (text: string, format: AudioFormat) =>
      client.speech.create({ text, format, reference_id: 'sandbox-alba' });
    const forEach = (make: (format: AudioFormat) => Contender) =>
      Object.fromEntries(audioFormats.map((format) => [format, make(format)])) as Record<
        AudioFormat,
        Contender
      >;
    const firstChunk = (format: AudioFormat) => async () => {
      const begin = performance.now();
      let taken: number | undefined;
      for await (const _ of await speak(sentence, format)) taken ??= performance.now() - begin;
      return taken;
    };
    const whole = (format: AudioFormat) => async () => void (await (await speak(paragraph, format)).bytes());
    const pcm = await client.speech.create({
      text: paragraph,
      format: 'pcm',
      sample_rate: 16_000,
      reference_id: 'sandbox-alba',
    });
    const milliseconds = (await pcm.bytes()).length / 32;
    const chunks = await interleave(forEach(firstChunk), 9);
    const times = await interleave(forEach(whole), 5);
    return audioFormats.flatMap((format): Result[] => {
      const [chunk, speed] = [chunks[format], milliseconds / times[format]];
      const reference = (value: number) => ({ 'pcm, which needs no encoder': value });
      const [first, rate] = [reference(chunks.pcm), reference(milliseconds / times.pcm)];
      return [
        { variant: `${format}, first chunk`, ours: chunk, unit: 'ms', references: first, met: chunk <= 60 },
        { variant: `${format}, speed`, ours: speed, unit: 'x real time', references: rate, met: speed >= 20 },
      ];
    });
  },
};
