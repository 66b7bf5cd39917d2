import { inspect } from 'node:util';
import { APICallError, InvalidArgumentError, LoadSettingError, NoSuchModelError } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { createSpeechProvider, type SpeechProviderSettings } from './index.ts';

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** A provider whose `fetch` gives these answers in turn and keeps what was sent. */
function providerOf(...answers: (Response | Error)[]) {
  const sent: Sent[] = [];
  const fetch: SpeechProviderSettings['fetch'] = async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    sent.push({
      url: request.url,
      headers: request.headers,
      body: new Uint8Array(await request.arrayBuffer()),
    });
    const answer = answers.shift() ?? new Error('one call too many');
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const provider = createSpeechProvider({ apiKey: 'secret-key', baseUrl: 'http://127.0.0.1:9', fetch });
  return { provider, sent };
}

function pcm(): Response {
  const samples = Uint8Array.from({ length: 9600 }, (_, index) => (index * 37) % 251);
  return new Response(samples, { headers: { 'content-type': 'audio/pcm' } });
}

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

function bodyOf(sent: readonly Sent[]): unknown {
  return JSON.parse(new TextDecoder().decode(sent[0]?.body));
}

async function errorOf(call: PromiseLike<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const text = 'Good morning.';

test('settings of a speech call become fields of the request', async () => {
  const { provider, sent } = providerOf(pcm());
  const { audio, warnings, response, providerMetadata } = await provider.speech('s1').doGenerate({
    text,
    voice: 'voice-1',
    speed: 1.5,
    outputFormat: 'pcm',
    headers: { 'x-team': 'radio', 'x-none': undefined },
    providerOptions: { speechApi: { temperature: 0.2, prosody: { volume: 3 } }, other: { temperature: 1 } },
  });
  expect(bodyOf(sent)).toEqual({
    text,
    reference_id: 'voice-1',
    prosody: { speed: 1.5, volume: 3 },
    format: 'pcm',
    temperature: 0.2,
  });
  expect(sent[0]?.headers.get('model')).toBe('s1');
  expect(sent[0]?.headers.get('x-team')).toBe('radio');
  expect(sent[0]?.headers.has('x-none')).toBe(false);
  expect(audio.length).toBe(9600);
  expect(response.modelId).toBe('s1');
  expect(providerMetadata?.speechApi?.format).toBe('pcm');
  expect(warnings).toMatchObject([{ type: 'other' }]);
});

test('of the headers of an answer, those that may hold the key are not handed out', async () => {
  const audio = pcm();
  audio.headers.set('x-echo', 'Bearer secret-key');
  const { provider } = providerOf(audio);
  const { response } = await provider.speech().doGenerate({ text, outputFormat: 'pcm' });
  expect(response.headers).toEqual({ 'content-type': 'audio/pcm' });
});

test('provider options win over the settings of the call, but cannot change the text', async () => {
  const { provider, sent } = providerOf(pcm());
  const speechApi = { format: 'pcm', reference_id: ['a', 'b'] };
  await provider.speech('s2-pro').doGenerate({
    text: '<|speaker:0|>Hi. <|speaker:1|>Hello.',
    voice: 'c',
    outputFormat: 'mp3',
    providerOptions: { speechApi },
  });
  expect(bodyOf(sent)).toMatchObject(speechApi);
  const error = await errorOf(
    provider.speech().doGenerate({ text, providerOptions: { speechApi: { text: 'Something else.' } } }),
  );
  expect(InvalidArgumentError.isInstance(error)).toBe(true);
  expect(sent.length).toBe(1);
});

test('settings that the service does not have are warned of and not sent', async () => {
  const { provider, sent } = providerOf(
    new Response(Uint8Array.of(0xff, 0xfb, 0x90, 0x00), { headers: { 'content-type': 'audio/mpeg' } }),
  );
  const call = { text, outputFormat: 'flac', instructions: 'Whisper.', language: 'en' };
  // The clip is incomplete, which does not matter in this test.
  const { warnings } = await provider.speech().doGenerate({ ...call, text: '...' });
  expect(warnings.map((warning) => 'feature' in warning && warning.feature)).toEqual([
    'instructions',
    'language',
    'outputFormat',
  ]);
  expect(bodyOf(sent)).toEqual({ text: '...' });
});

test('a transcription gives segments in seconds', async () => {
  const segments = [{ text: 'Good morning.', start: 0.5, end: 1.25 }];
  const { provider, sent } = providerOf(json({ text, duration: 2, segments, language_code: 'en' }));
  const result = await provider.transcription().doGenerate({
    audio: btoa('RIFF'),
    mediaType: 'audio/wav',
    timestampGranularities: ['word'],
    providerOptions: { speechApi: { language: 'en' } },
  });
  expect(result).toMatchObject({
    text,
    durationInSeconds: 2,
    language: 'en',
    segments: [{ text: 'Good morning.', startSecond: 0.5, endSecond: 1.25 }],
    warnings: [{ type: 'unsupported', feature: 'timestampGranularities' }],
  });
  const [call] = sent;
  const form = await new Response(call?.body, { headers: call?.headers ?? {} }).formData();
  expect(form.get('language')).toBe('en');
  expect(form.get('ignore_timestamps')).toBe('false');
  expect(await (form.get('audio') as File).text()).toBe('RIFF');
});

test('segments are not requested unless they are wanted', async () => {
  const { provider, sent } = providerOf(json({ text, duration: 2 }));
  const audio = new TextEncoder().encode('RIFF');
  const call = { audio, mediaType: 'audio/wav', timestampGranularities: [] };
  expect((await provider.transcription().doGenerate(call)).segments).toEqual([]);
  expect(new TextDecoder().decode(sent[0]?.body)).toMatch(/name="ignore_timestamps"\r\n\r\ntrue/);
});

test.each([401, 402, 422, 429, 503])(
  'a refusal with %i is an APICallError that is never sent again, without the text and the key',
  async (status) => {
    const headers = { 'retry-after': '3', 'x-echo': 'secret-key' };
    // Frameworks echo the text.
    const body = { status, message: 'refused', detail: [{ loc: ['text'], msg: 'no', input: text }] };
    const { provider, sent } = providerOf(json(body, status, headers));
    const error = (await errorOf(provider.speech().doGenerate({ text }))) as APICallError;
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ statusCode: status, isRetryable: false, cause: { status } });
    expect(error.responseHeaders).toMatchObject({ 'retry-after': '3' });
    expect([error.data, JSON.parse(error.responseBody ?? '')]).toEqual([body, body]);
    const { message, stack } = error;
    const shown = inspect(error, { depth: 9 }) + JSON.stringify(error) + message + stack;
    expect(shown).not.toContain('secret-key');
    expect(shown).not.toContain(text);
    expect(sent.length).toBe(1);
  },
);

test('a broken connection is an APICallError without a status', async () => {
  const { provider, sent } = providerOf(new TypeError('fetch failed'));
  const error = await errorOf(provider.speech().doGenerate({ text }));
  expect(error).toMatchObject({ name: 'AI_APICallError', isRetryable: false });
  expect((error as APICallError).statusCode).toBeUndefined();
  expect(sent.length).toBe(1);
});

test('a request that cannot succeed is refused before it is sent, naming the field', async () => {
  const { provider, sent } = providerOf();
  const speechApi = { sample_rate: 48_000, format: 'wav' };
  const error = await errorOf(provider.speech().doGenerate({ text, providerOptions: { speechApi } }));
  expect(InvalidArgumentError.isInstance(error)).toBe(true);
  expect(error).toMatchObject({ argument: 'sample_rate' });
  const empty = provider.transcription().doGenerate({ audio: new Uint8Array(), mediaType: 'audio/wav' });
  expect(await errorOf(empty)).toMatchObject({ argument: 'audio' });
  expect(sent).toEqual([]);
});

test('an abort throws what the signal was given', async () => {
  const { provider, sent } = providerOf(pcm());
  const controller = new AbortController();
  controller.abort();
  const { signal: abortSignal } = controller;
  expect(await errorOf(provider.speech().doGenerate({ text, abortSignal }))).toBe(abortSignal.reason);
  const audio = new Uint8Array([1]);
  const transcription = provider.transcription().doGenerate({ audio, mediaType: 'audio/wav', abortSignal });
  expect(await errorOf(transcription)).toBe(abortSignal.reason);
  expect(sent).toEqual([]);
});

test('an abort ends a call that waits, also where others listen to the signal before', async () => {
  const fetch = () => new Promise<never>(() => undefined);
  const provider = createSpeechProvider({ apiKey: 'key', baseUrl: 'http://127.0.0.1:9', fetch });
  const controller = new AbortController();
  const { signal: abortSignal } = controller;
  abortSignal.addEventListener('abort', () => undefined);
  const error = errorOf(provider.speech().doGenerate({ text, abortSignal }));
  controller.abort();
  expect(await error).toBe(abortSignal.reason);
}, 5000);

test('a missing setting is an error of the call and not of the import', async () => {
  const provider = createSpeechProvider({ apiKey: 'key', baseUrl: 'not an address' });
  const error = await errorOf(Promise.resolve().then(() => provider.speech('s1').doGenerate({ text })));
  expect(LoadSettingError.isInstance(error)).toBe(true);
});

test('models that the service does not have are refused by name', () => {
  const { provider } = providerOf();
  expect(() => provider.languageModel('s2-pro')).toThrow(NoSuchModelError);
  expect(() => provider.embeddingModel('s2-pro')).toThrow(NoSuchModelError);
  expect(() => provider.imageModel('s2-pro')).toThrow(NoSuchModelError);
  expect(provider.speechModel('s1')).toMatchObject({ modelId: 's1', specificationVersion: 'v4' });
});

test('a stream that cannot begin lets go of its text', async () => {
  const provider = createSpeechProvider({ apiKey: 'key', baseUrl: 'http://127.0.0.1:9' });
  const reasons: unknown[] = [];
  const pending = () => new ReadableStream({ cancel: (reason) => void reasons.push(reason) });
  const refused = provider.speech().doStream({ text: pending() });
  expect(APICallError.isInstance(await errorOf(refused))).toBe(true);
  const wrong = { speechApi: { text: 'Something else.' } };
  const invalid = provider.speech().doStream({ text: pending(), providerOptions: wrong });
  expect(InvalidArgumentError.isInstance(await errorOf(invalid))).toBe(true);
  expect(reasons).toHaveLength(2);
});

test('a transcription names its model, and gives turns and the id of the request', async () => {
  const marked = {
    text: '<|speaker:0|> Hello. <|speaker:1|> Hi.',
    duration: 2,
    segments: [],
    request_id: 'r',
  };
  const { provider, sent } = providerOf(json(marked));
  const audio = new TextEncoder().encode('RIFF');
  const model = provider.transcription('transcribe-1-pro');
  const { providerMetadata } = await model.doGenerate({ audio, mediaType: 'audio/wav' });
  expect(sent[0]?.headers.get('model')).toBe('transcribe-1-pro');
  expect(providerMetadata?.speechApi).toEqual({
    turns: [
      { speaker: 'speaker:0', text: 'Hello.' },
      { speaker: 'speaker:1', text: 'Hi.' },
    ],
    request_id: 'r',
  });
});
