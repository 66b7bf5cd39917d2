import { createTrace, type TraceSource } from './trace.ts';

/** The part of `@opentelemetry/api` that is used; this package does not depend on it. */
export interface OpenTelemetryApi {
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string): {
        spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };
        end(): void;
      };
    };
  };
}

/**
 * Lets each call join the OpenTelemetry context it is made in: a short span of its own under the active one, whose
 * id is the parent id that the service sees, so that calls of one workflow share a trace and none shares a parent.
 *
 * Where no OpenTelemetry SDK is set up, each call starts a trace of its own, as without the adapter. Nothing but the
 * two ids and the flag leaves the process; the span is named `speech-api` and has no attributes.
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
  return {
    traceparent() {
      const span = api.trace.getTracer('@speech-api/client').startSpan('speech-api');
      const { traceId, spanId, traceFlags } = span.spanContext();
      span.end();
      const flags = (traceFlags & 1).toString(16).padStart(2, '0');
      const value = `00-${traceId}-${spanId}-${flags}`;
      // Without an SDK the ids are zeros, which no header may carry.
      const fresh = createTrace(value);
      return fresh.traceId === traceId ? value : fresh.traceparent();
    },
  };
}
