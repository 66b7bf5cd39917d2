/** Source of the header `traceparent` of a call: a {@link Trace}, or an adapter to a tracer. */
interface TraceSource {
	/** The value of the header `traceparent` for the next call. */
	traceparent(): string;
	/** Called when a call begins, in place of `traceparent`, by adapters whose span covers the call. */
	startCall?(call: TracedCall): CallSpan;
}
/** Details of a call, passed to a tracer when the call begins. */
interface TracedCall {
	/** The operation of the specification, such as `createSpeech`. */
	readonly operationId: string;
	/** The method, such as `POST`. */
	readonly method: string;
	/** The path as the specification writes it, such as `/model/{id}`. */
	readonly path: string;
	/** Address of the HTTP API. */
	readonly baseUrl: string;
}
/** The span of one call. */
interface CallSpan {
	/** The value of the header `traceparent`. */
	readonly traceparent: string;
	/** Called once, when the call is over: its body read or left, or anything failed. */
	end?(outcome: {
		readonly status?: number;
		readonly error?: Error;
	}): void;
}
/** A workflow's trace: one trace id, and a parent id of its own for each call. */
interface Trace extends TraceSource {
	/** 32 lower-case hex digits, the same for every call of the workflow. */
	readonly traceId: string;
	/** The value of the header `traceparent` for the next call, with a fresh parent id. */
	traceparent(): string;
}
/**
 * Starts a trace, or continues the one of an incoming `traceparent` header (section 4.7).
 *
 * An incoming value that is not valid by W3C Trace Context starts a new trace, as the standard says.
 * The ids are random: nothing in them tells who calls.
 *
 * @example
 * ```ts
 * import { createSpeechClient, createTrace } from '@speech-api/client';
 *
 * const client = createSpeechClient();
 * const trace = createTrace();
 * const audio = await client.speech.create({ text: 'One call of a workflow.' }, { trace });
 * console.log(trace.traceId, (await audio.bytes()).length);
 * ```
 */
declare function createTrace(incoming?: string | null): Trace;

export { createTrace as c };
export type { CallSpan as C, TraceSource as T, Trace as a, TracedCall as b };
