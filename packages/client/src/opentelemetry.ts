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

/** The part of `@opentelemetry/api` that is used; this package does not depend on it. */
export interface OpenTelemetryApi {
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string, options?: { kind?: number; attributes?: Attributes }): OpenTelemetrySpan;
    };
  };
}

// The values of `SpanKind.CLIENT` and `SpanStatusCode.ERROR`.
const clientKind = 2;
const errorStatus = 2;

/**
 * Lets each call join the OpenTelemetry context it is made in: a client span under the active one, from the queue to the
 * last byte of the body, whose id is the parent id that the service sees.
 *
 * The span is named by method and path, as the semantic conventions for HTTP say, and has `http.request.method`,
 * `url.template`, `server.address`, `server.port`, `http.response.status_code` and, when the call failed, `error.type`
 * and the status of an error. It holds no text, audio, id or key. Where no OpenTelemetry SDK is set up, each call starts
 * a trace of its own, as without the adapter.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 * import { openTelemetryTrace, type OpenTelemetryApi } from '@speech-api/client/opentelemetry';
 *
 * // In a real program: `import * as api from '@opentelemetry/api';`
 * const spanContext = () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 });
 * const api: OpenTelemetryApi = {
 *   trace: { getTracer: () => ({ startSpan: () => ({ spanContext, end: () => undefined }) }) },
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
    startCall({ operationId, method, path, baseUrl }: TracedCall): CallSpan {
      const { hostname, port, protocol } = new URL(baseUrl);
      const span = tracer().startSpan(`${method} ${path}`, {
        kind: clientKind,
        attributes: {
          'http.request.method': method,
          'url.template': path,
          'server.address': hostname,
          'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
          'speech_api.operation': operationId,
        },
      });
      return {
        traceparent: traceparentOf(span),
        end({ status, error }) {
          if (status !== undefined) span.setAttributes?.({ 'http.response.status_code': status });
          const failed = error !== undefined || (status !== undefined && status >= 400);
          if (failed) {
            const type =
              SpeechError.isInstance(error) && !ApiError.isInstance(error) ? error.code : String(status);
            span.setAttributes?.({ 'error.type': type });
            span.setStatus?.({ code: errorStatus });
          }
          span.end();
        },
      };
    },
  };
}

function traceparentOf(span: OpenTelemetrySpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const flags = (traceFlags & 1).toString(16).padStart(2, '0');
  const value = `00-${traceId}-${spanId}-${flags}`;
  // Without an SDK the ids are zeros, which no header may carry.
  const fresh = createTrace(value);
  return fresh.traceId === traceId ? value : fresh.traceparent();
}
