import { expect, test } from 'vitest';
import { openTelemetryTrace } from './opentelemetry.ts';
import { clientOf, tone } from './testing/samples.ts';
import { startServer } from './testing/start-server.ts';

/** An OpenTelemetry API as it looks from outside: every span in one trace, its names and ends kept. */
function tracer(traceId: string, traceFlags = 1) {
  const spans: { name: string; ended: boolean }[] = [];
  const startSpan = (name: string) => {
    const span = { name, ended: false };
    spans.push(span);
    const spanId = traceId.startsWith('0') ? '0'.repeat(16) : String(spans.length).padStart(16, 'b');
    return {
      spanContext: () => ({ traceId, spanId, traceFlags }),
      end: () => {
        span.ended = true;
      },
    };
  };
  return { spans, api: { trace: { getTracer: () => ({ startSpan }) } } };
}

test('calls join the active trace, each with a span of its own that tells nothing of the call', async () => {
  const server = await startServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'audio/pcm' }).end(tone()),
  );
  const { api, spans } = tracer('a'.repeat(32));
  const { speech } = clientOf(server.url, { trace: openTelemetryTrace(api) });
  for (const text of ['One.', 'Two.']) {
    const audio = await speech.create({ text, format: 'pcm' });
    expect(audio.traceId).toBe('a'.repeat(32));
    await audio.bytes();
  }
  expect(server.seen.map(({ headers }) => headers.traceparent)).toEqual([
    `00-${'a'.repeat(32)}-${'b'.repeat(15)}1-01`,
    `00-${'a'.repeat(32)}-${'b'.repeat(15)}2-01`,
  ]);
  expect(spans).toEqual([
    { name: 'speech-api', ended: true },
    { name: 'speech-api', ended: true },
  ]);
});

test('only the sampled flag is passed on', () => {
  const { api } = tracer('a'.repeat(32), 0xfe);
  expect(openTelemetryTrace(api).traceparent()).toMatch(/-00$/);
});

test('without an SDK each call has a trace of its own', () => {
  const source = openTelemetryTrace(tracer('0'.repeat(32), 0).api);
  const [first, second] = [source.traceparent(), source.traceparent()];
  expect(first).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-00$/);
  expect(second.slice(3, 35)).not.toBe(first.slice(3, 35));
});
