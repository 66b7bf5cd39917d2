import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { type OpenTelemetryApi, openTelemetryTrace } from './opentelemetry.ts';
import { clientOf, errorOf, tone } from './testing/samples.ts';
import { startServer } from './testing/start-server.ts';

interface Span {
  readonly name: string;
  readonly attributes: Record<string, string | number>;
  status: number | undefined;
  ended: boolean;
}

/** A fake OpenTelemetry API: all spans are in one trace, and everything set on them is recorded. */
function tracer(traceId: string, traceFlags = 1) {
  const spans: Span[] = [];
  const startSpan = (name: string, { attributes = {} }: { attributes?: Span['attributes'] } = {}) => {
    const span: Span = { name, attributes: { ...attributes }, status: undefined, ended: false };
    spans.push(span);
    const spanId = traceId.startsWith('0') ? '0'.repeat(16) : String(spans.length).padStart(16, 'b');
    return {
      spanContext: () => ({ traceId, spanId, traceFlags }),
      setAttributes: (more: Span['attributes']) => Object.assign(span.attributes, more),
      setStatus: ({ code }: { code: number }) => {
        span.status = code;
      },
      end: () => {
        span.ended = true;
      },
    };
  };
  // The check that fetch instrumentation makes before it creates a span and adds a header.
  const suppression = Symbol.for('OpenTelemetry SDK Context Key SUPPRESS_TRACING');
  const storage = new AsyncLocalStorage<ReadonlyMap<symbol, unknown>>();
  const contextOf = (values: ReadonlyMap<symbol, unknown>) => ({
    values,
    setValue: (key: symbol, value: unknown) => contextOf(new Map([...values, [key, value]])),
  });
  const api: OpenTelemetryApi = {
    trace: { getTracer: () => ({ startSpan }) },
    context: {
      active: () => contextOf(storage.getStore() ?? new Map()),
      with: (context, run) => storage.run((context as ReturnType<typeof contextOf>).values, run),
    },
    createContextKey: Symbol.for,
  };
  return { spans, api, isSuppressed: () => storage.getStore()?.get(suppression) === true };
}

test('calls join the active trace, each with a span that lasts until its body is read', async () => {
  const server = await startServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'audio/pcm' }).end(tone()),
  );
  const { api, spans } = tracer('a'.repeat(32));
  const { speech } = clientOf(server.url, { trace: openTelemetryTrace(api) });
  for (const text of ['One.', 'Two.']) {
    const audio = await speech.create({ text, format: 'pcm' });
    expect(audio.traceId).toBe('a'.repeat(32));
    expect(spans.at(-1)?.ended).toBe(false);
    await audio.bytes();
    expect(spans.at(-1)?.ended).toBe(true);
  }
  expect(server.seen.map(({ headers }) => headers.traceparent)).toEqual([
    `00-${'a'.repeat(32)}-${'b'.repeat(15)}1-01`,
    `00-${'a'.repeat(32)}-${'b'.repeat(15)}2-01`,
  ]);
  expect(spans[0]).toEqual({
    name: 'POST /v1/tts',
    attributes: {
      'http.request.method': 'POST',
      'url.template': '/v1/tts',
      'server.address': '127.0.0.1',
      'server.port': server.port,
      'speech_api.operation': 'createSpeech',
      'gen_ai.request.model': 's2-pro',
      'gen_ai.output.type': 'speech',
      'speech_api.format': 'pcm',
      'speech_api.characters': 4,
      'speech_api.first_audio_ms': expect.any(Number),
      'http.response.status_code': 200,
    },
    status: undefined,
    ended: true,
  });
});

test('a failure is the status of its span, with its type', async () => {
  const server = await startServer(({ url }, response) =>
    url.endsWith('hangs') ? undefined : response.writeHead(402).end(),
  );
  const { api, spans } = tracer('a'.repeat(32));
  const client = clientOf(server.url, { trace: openTelemetryTrace(api) });
  await errorOf(client.speech.create({ text: 'One.' }));
  const controller = new AbortController();
  const waiting = client.models.get('hangs', { signal: controller.signal });
  await expect.poll(() => server.seen.length).toBe(2);
  controller.abort();
  await errorOf(waiting);
  expect(
    spans.map(({ name, status, ended, attributes }) => [name, status, ended, attributes['error.type']]),
  ).toEqual([
    ['POST /v1/tts', 2, true, '402'],
    ['GET /model/{id}', 2, true, 'abort'],
  ]);
  expect(server.seen.map(({ headers }) => 'traceparent' in headers)).toEqual([true, false]);
});

test('the span of a call that is never sent ends with it', async () => {
  const { api, spans } = tracer('a'.repeat(32));
  const client = clientOf('http://127.0.0.1:9', { trace: openTelemetryTrace(api) });
  client.http.use({ onRequest: () => Response.json({ credit: '1' }) });
  await client.wallet.getApiCredit();
  expect(spans.map(({ ended, status }) => [ended, status])).toEqual([[true, undefined]]);
});

test('only the sampled flag is passed on', () => {
  const { api } = tracer('a'.repeat(32), 0xfe);
  expect(openTelemetryTrace(api).traceparent()).toMatch(/-00$/);
});

test('without an SDK each call has its own trace', () => {
  const source = openTelemetryTrace(tracer('0'.repeat(32), 0).api);
  const [first, second] = [source.traceparent(), source.traceparent()];
  expect(first).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-00$/);
  expect(second.slice(3, 35)).not.toBe(first.slice(3, 35));
});

test('fetch runs with instrumentation suppressed, so that the service sees one traceparent', async () => {
  const { api, isSuppressed } = tracer('a'.repeat(32));
  const seen: boolean[] = [];
  const fetch = async () => {
    seen.push(isSuppressed());
    return new Response(tone(), { headers: { 'content-type': 'audio/pcm' } });
  };
  const { speech } = clientOf('http://a', { trace: openTelemetryTrace(api), fetch });
  await (await speech.create({ text: 'One.', format: 'pcm' })).bytes();
  expect([seen, isSuppressed()]).toEqual([[true], false]);
});
