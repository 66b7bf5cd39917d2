/** Source of the header `traceparent` of a call: a {@link Trace}, or an adapter to a tracer. */
export interface TraceSource {
  /** The value of the header `traceparent` for the next call. */
  traceparent(): string;
  /** Called when a call begins, in place of `traceparent`, by adapters whose span covers the call. */
  startCall?(call: TracedCall): CallSpan;
}

/** Details of a call, passed to a tracer when the call begins. */
export interface TracedCall {
  /** The operation of the specification, such as `createSpeech`. */
  readonly operationId: string;
  /** The method, such as `POST`. */
  readonly method: string;
  /** The path as the specification writes it, such as `/model/{id}`. */
  readonly path: string;
  /** Address of the HTTP API. */
  readonly baseUrl: string;
  /** The model that was asked for. */
  readonly model?: string | undefined;
  /** The format of the audio. */
  readonly format?: string | undefined;
  /** The number of Unicode code points that are to be spoken. */
  readonly characters?: number | undefined;
}

/** The span of one call. */
export interface CallSpan {
  /** The value of the header `traceparent`. */
  readonly traceparent: string;
  /** Calls `fetch`, in a context of the tracer. */
  run?<Value>(send: () => Value): Value;
  /** Called once, when the call is over: its body read or left, or anything failed. */
  end?(outcome: CallOutcome): void;
}

/** How a call ended. */
export interface CallOutcome {
  readonly status?: number;
  readonly error?: Error;
  /** From the call to the first audio. */
  readonly firstAudioMilliseconds?: number | undefined;
  /** The number of Unicode code points that were spoken, where it was not known before. */
  readonly characters?: number | undefined;
}

/** A workflow's trace: one trace id, and a fresh parent id for each call. */
export interface Trace extends TraceSource {
  /** 32 lower-case hex digits, the same for every call of the workflow. */
  readonly traceId: string;
}

/**
 * Starts a trace, or continues the one of an incoming `traceparent` header.
 *
 * An incoming value that is not valid by W3C Trace Context starts a new trace, as the standard says.
 * The ids are random: nothing in them identifies the caller.
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
export function createTrace(incoming?: string | null): Trace {
  const { traceId, sampled } = parseTraceparent(incoming) ?? { traceId: randomHex(16), sampled: '00' };
  return { traceId, traceparent: () => `00-${traceId}-${randomHex(8)}-${sampled}` };
}

/** The span of a call, where the caller asked for a trace. */
export function startSpan(
  source: TraceSource | false | undefined,
  isTraced: boolean,
  describe: () => TracedCall,
): CallSpan | undefined {
  if (!source || (!isTraced && source.startCall === undefined)) return undefined;
  return source.startCall?.(describe()) ?? { traceparent: source.traceparent() };
}

function parseTraceparent(
  value: unknown,
): { readonly traceId: string; readonly sampled: string } | undefined {
  // Versions above 00 may carry more fields behind a dash; ff is forbidden, and so are ids of zeros alone.
  const [, version, id, parent, flags, rest] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(
      typeof value === 'string' ? value.trim() : '',
    ) ?? [];
  const valid =
    id !== undefined &&
    version !== 'ff' &&
    !(version === '00' && rest !== undefined) &&
    /[^0]/.test(id) &&
    /[^0]/.test(parent ?? '');
  // Of the flags only the lowest has a meaning that we may pass on: whether the caller records the trace.
  const sampled = Number.parseInt(flags ?? '0', 16) % 2 === 1 ? '01' : '00';
  return valid ? { traceId: id, sampled } : undefined;
}

// Unused random 32-bit numbers: fetching many at once costs as much as fetching two.
let unused = new Uint32Array(0);

/** Random hex digits, two for each byte. */
export function randomHex(length: number): string {
  const count = length / 4;
  if (unused.length < count) unused = crypto.getRandomValues(new Uint32Array(192));
  let text = '';
  // An id of zeros alone means "no id"; it comes up once in 2^64 at best, and costs one bit to rule out.
  unused[count - 1] = (unused[count - 1] ?? 0) | 1;
  for (const number of unused.subarray(0, count)) text += number.toString(16).padStart(8, '0');
  unused = unused.subarray(count);
  return text;
}
