import { createSpeechProvider } from '@speech-api/ai-sdk';
import { measureAudio } from '@speech-api/audio';
import { audioFormats } from '@speech-api/types';
import { generateSpeech, transcribe } from 'ai';
import { expect, test } from 'vitest';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const service = useOwnSandbox();
const text = 'The ferry leaves at noon.';

test.each(audioFormats)('generateSpeech gives %s that lasts as long as speech does', async (format) => {
  const provider = createSpeechProvider({ client: service.client() });
  const { audio, warnings, responses } = await generateSpeech({
    model: provider.speech('s2-pro'),
    text,
    outputFormat: format,
  });
  const measure = measureAudio(audio.uint8Array, format);
  expect(measure.seconds).toBeGreaterThan(0.5);
  expect(measure.seconds).toBeLessThan(10);
  expect(warnings.length).toBe(format === 'pcm' ? 1 : 0);
  expect(responses).toMatchObject([{ modelId: 's2-pro' }]);
});

test('transcribe gives back what generateSpeech said, with times', async () => {
  const provider = createSpeechProvider({ client: service.client() });
  const { audio } = await generateSpeech({ model: provider.speech(), text, outputFormat: 'wav' });
  const transcript = await transcribe({ model: provider.transcription(), audio: audio.uint8Array });
  expect(transcript.text).toContain('ferry');
  expect(transcript.durationInSeconds).toBeGreaterThan(0.5);
  expect(transcript.segments[0]?.endSecond).toBeGreaterThan(transcript.segments[0]?.startSecond ?? Infinity);
});
