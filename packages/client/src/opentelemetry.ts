import { SpeechError } from './errors.ts';
import { ApiError } from './service-errors.ts';
import { type CallSpan, createTrace, type TracedCall, type TraceSource } from './trace.ts';

type Attributes = Record<string, string | number>;

/** The part of a span that is used. */
export interface OpenTelemetrySpan {
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };
  setAttributes?(attributes: Attributes): unknown;
  setStatus?(status: { readonly code: number; readonly message?: string }): unknown;
  end(): void;
}

/** The part of a context that is used. */
export interface OpenTelemetryContext {
  setValue(key: symbol, value: unknown): OpenTelemetryContext;
}

/** The part of `@opentelemetry/api` that is used; this package does not depend on it. */
export interface OpenTelemetryApi {
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string, options?: { kind?: number; attributes?: Attributes }): OpenTelemetrySpan;
    };
  };
  readonly context: {
    active(): OpenTelemetryContext;
    with<Value>(context: OpenTelemetryContext, run: () => Value): Value;
  };
  createContextKey(description: string): symbol;
}

// The values of `SpanKind.CLIENT` and `SpanStatusCode.ERROR`.
const clientKind = 2;
const errorStatus = 2;

/** The context key by which the OpenTelemetry SDK suppresses tracing. */
const suppressionKey = 'OpenTelemetry SDK Context Key SUPPRESS_TRACING';

/**
 * Lets each call join the OpenTelemetry context it is made in: a client span under the active one, from the queue to the
 * last byte of the body, whose id is the parent id that the service sees. An instrumentation of `fetch` makes no second
 * span and sends no second header.
 *
 * The span is named by method and path, as the semantic conventions for HTTP say, and has `http.request.method`,
 * `url.template`, `server.address`, `server.port`, `http.response.status_code` and, when the call failed, `error.type`
 * and the status of an error. A call with a model has `gen_ai.request.model`, and one for speech `gen_ai.output.type`,
 * `speech_api.characters`, `speech_api.format` and `speech_api.first_audio_ms`. It holds no text, audio, id or key.
 * Where no OpenTelemetry SDK is set up, each call starts a trace of its own.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 * import { openTelemetryTrace, type OpenTelemetryApi } from '@speech-api/client/opentelemetry';
 *
 * // In a real program: `import * as api from '@opentelemetry/api';`
 * const spanContext = () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 });
 * const root = { setValue: () => root };
 * const api: OpenTelemetryApi = {
 *   trace: { getTracer: () => ({ startSpan: () => ({ spanContext, end: () => undefined }) }) },
 *   context: { active: () => root, with: (_context, run) => run() },
 *   createContextKey: Symbol.for,
 * };
 * const client = createSpeechClient({ trace: openTelemetryTrace(api) });
 * const audio = await client.speech.create({ text: 'Traced.' });
 * console.log(audio.traceId, (await audio.bytes()).length);
 * ```
 */
export function openTelemetryTrace(api: OpenTelemetryApi): TraceSource {
  const tracer = () => api.trace.getTracer('@speech-api/client');
  return {
    traceparent() {
      const span = tracer().startSpan('speech-api');
      span.end();
      return traceparentOf(span);
    },
    startCall(call: TracedCall): CallSpan {
      const span = tracer().startSpan(`${call.method} ${call.path}`, {
        kind: clientKind,
        attributes: attributesOf(call),
      });
      return {
        traceparent: traceparentOf(span),
        run: (send) => {
          const { context } = api;
          return context.with(context.active().setValue(api.createContextKey(suppressionKey), true), send);
        },
        end({ status, error, firstAudioMilliseconds, characters }) {
          span.setAttributes?.({
            ...(status !== undefined && { 'http.response.status_code': status }),
            ...(firstAudioMilliseconds !== undefined && {
              'speech_api.first_audio_ms': firstAudioMilliseconds,
            }),
            ...(characters !== undefined && { 'speech_api.characters': characters }),
          });
          if (error !== undefined || (status !== undefined && status >= 400)) {
            const type =
              SpeechError.isInstance(error) && !ApiError.isInstance(error)
                ? error.code
                : String(status ?? '_OTHER');
            span.setAttributes?.({ 'error.type': type });
            span.setStatus?.({ code: errorStatus });
          }
          span.end();
        },
      };
    },
  };
}

function attributesOf({ operationId, method, path, baseUrl, ...speech }: TracedCall): Attributes {
  const { hostname, port, protocol } = new URL(baseUrl);
  const { model, format, characters } = speech;
  return {
    'http.request.method': method,
    'url.template': path,
    'server.address': hostname,
    'server.port': Number(port) || (/^(https|wss):$/.test(protocol) ? 443 : 80),
    'speech_api.operation': operationId,
    ...(model !== undefined && { 'gen_ai.request.model': model }),
    ...(format !== undefined && { 'gen_ai.output.type': 'speech', 'speech_api.format': format }),
    ...(characters !== undefined && { 'speech_api.characters': characters }),
  };
}

function traceparentOf(span: OpenTelemetrySpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const flags = (traceFlags & 1).toString(16).padStart(2, '0');
  const value = `00-${traceId}-${spanId}-${flags}`;
  // Without an SDK the ids are zeros, which are invalid in a header.
  const fresh = createTrace(value);
  return fresh.traceId === traceId ? value : fresh.traceparent();
}
