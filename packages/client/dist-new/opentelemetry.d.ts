import { TraceSource } from './index.js';

type Attributes = Record<string, string | number>;
/** The part of a span that is used. */
interface OpenTelemetrySpan {
	spanContext(): {
		readonly traceId: string;
		readonly spanId: string;
		readonly traceFlags: number;
	};
	setAttributes?(attributes: Attributes): unknown;
	setStatus?(status: {
		readonly code: number;
		readonly message?: string;
	}): unknown;
	end(): void;
}
/** The part of `@opentelemetry/api` that is used; this package does not depend on it. */
interface OpenTelemetryApi {
	readonly trace: {
		getTracer(name: string): {
			startSpan(name: string, options?: {
				kind?: number;
				attributes?: Attributes;
			}): OpenTelemetrySpan;
		};
	};
}
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
declare function openTelemetryTrace(api: OpenTelemetryApi): TraceSource;

export { openTelemetryTrace };
export type { OpenTelemetryApi, OpenTelemetrySpan };
