import { createSpeechProvider } from '@speech-api/ai-sdk';
import { measureAudio } from '@speech-api/audio';
import { audioFormats } from '@speech-api/types';
import { generateSpeech, experimental_streamSpeech as streamSpeech, transcribe } from 'ai';
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

/** Text that a test writes piece by piece. */
function writer() {
  const { readable, writable } = new TransformStream<string, string>();
  return { text: readable, writer: writable.getWriter() };
}

test('streamSpeech gives audio while the text is still being written', async () => {
  const provider = createSpeechProvider({ client: service.client() });
  const { text: written, writer: pen } = writer();
  const result = streamSpeech({
    model: provider.speech('s2-pro'),
    text: written,
    outputFormat: { type: 'audio/pcm' },
  });
  void pen.write('The ferry leaves at noon. It comes back at seven. ');
  const audio = result.audioStream[Symbol.asyncIterator]();
  const first = await audio.next();
  expect(first.value?.length).toBeGreaterThan(0);
  void pen.write('Bring 👍.');
  void pen.close();
  let bytes = first.value?.length ?? 0;
  for (let next = await audio.next(); !next.done; next = await audio.next()) bytes += next.value.length;
  expect(bytes / 2 / 44_100).toBeGreaterThan(2);
  expect(await result.usage).toMatchObject({ inputCharacters: 58 });
});

test.each([{}, { reference_id: ['sandbox-alba', 'sandbox-blake'], timestamps: true }])(
  'parts of two voices are spoken by both, with %j',
  async (speechApi) => {
    const provider = createSpeechProvider({ client: service.client() });
    const parts = [
      { type: 'text', text: 'Good morning. ', voice: 'sandbox-alba' },
      { type: 'text', text: 'Good morning to you.', voice: 'sandbox-blake' },
    ] as const;
    const result = streamSpeech({
      model: provider.speech('s2-pro'),
      text: ReadableStream.from(parts),
      providerOptions: { speechApi },
    });
    const audio = await new Response(result.audioStream as ReadableStream<Uint8Array>).bytes();
    expect(measureAudio(audio, 'mp3').seconds).toBeGreaterThan(1);
    const { segments = [] } = ((await result.providerMetadata).speechApi ?? {}) as { segments?: unknown[] };
    if ('timestamps' in speechApi) expect(segments.length).toBeGreaterThanOrEqual(6);
  },
);

test('an abort ends the text and the audio', async () => {
  const provider = createSpeechProvider({ client: service.client() });
  const { text: written, writer: pen } = writer();
  const controller = new AbortController();
  const { stream } = await provider.speech().doStream({
    text: written.pipeThrough(
      new TransformStream({ transform: (text, sink) => sink.enqueue({ type: 'text', text }) }),
    ),
    abortSignal: controller.signal,
  });
  void pen.write('The ferry leaves at noon. ').catch(() => undefined);
  const reader = stream.getReader();
  await reader.read();
  controller.abort(new Error('enough'));
  const drained = (async () => {
    while (!(await reader.read()).done);
  })();
  await expect(drained).rejects.toThrow('enough');
  await expect(pen.closed).rejects.toThrow('enough');
});
