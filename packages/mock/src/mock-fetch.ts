import type { RecordMode } from '@speech-api/server';
import {
  type Answer,
  type AnsweringParts,
  answerCall,
  Call,
  isBytes,
  OriginPolicy,
  planFaults,
} from '@speech-api/server';
import { createMockService, type MockCalls, type MockSettings } from './service.ts';

/** Options of {@link createMockFetch}. */
export interface MockFetchOptions extends MockSettings {
  /** The base URL of the service that the mock replaces. @defaultValue `http://speech-mock.localhost` */
  readonly url?: string;
  /** Carries requests to other origins, such as `globalThis.fetch`. @defaultValue they fail */
  readonly fetch?: typeof globalThis.fetch;
  /** As for `startMock`. @defaultValue `bodies` */
  readonly record?: RecordMode;
}

/** A mock without a port. */
export interface MockFetch extends MockCalls {
  /** The base URL that it answers for, without a slash at its end. */
  readonly url: string;
  /** Answers requests to `url` as a mock on a port does; everything but live sessions. */
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Makes a mock that is a `fetch`: no port is opened, so fake timers do not stop it.
 *
 * @example
 * const mock = createMockFetch();
 * const client = createSpeechClient({ apiKey: 'any-key', baseUrl: mock.url, fetch: mock.fetch });
 *
 * @throws Error for a fault rule or a recording that is not valid
 */
export function createMockFetch(options: MockFetchOptions = {}): MockFetch {
  const { origin } = new URL(options.url ?? 'http://speech-mock.localhost');
  const { service, receiver } = createMockService({ record: 'bodies', ...options });
  const { log } = service;
  // No page of another origin reaches a function of this process.
  const origins = new OriginPolicy({ host: '' });
  const parts = { service, receiver, origins, faults: planFaults(options.faults ?? [], log) };
  return {
    url: origin,
    record: log.record,
    get calls() {
      return log.calls;
    },
    clear: () => log.clear(),
    async fetch(input, init) {
      const address = new URL(typeof input === 'object' && 'url' in input ? input.url : String(input));
      if (address.origin === origin) return await fetchAnswer(parts, address, input, init);
      if (options.fetch !== undefined) return await options.fetch(input, init);
      throw new TypeError(
        `This mock answers for ${origin}, not for ${address.origin}. Set its option url, or fetch for other origins.`,
      );
    },
  };
}

async function fetchAnswer(
  parts: AnsweringParts,
  { pathname, search }: URL,
  input: Parameters<typeof globalThis.fetch>[0],
  { signal: signalOfInit, ...init }: RequestInit = {},
): Promise<Response> {
  const request = new Request(input as Request, init as RequestInit);
  const signal = signalOfInit ?? (typeof input === 'object' && 'signal' in input ? input.signal : undefined);
  signal?.throwIfAborted();
  const { origin: _, ...headers } = Object.fromEntries(request.headers);
  const gone = new AbortController();
  const call = new Call(
    parts,
    { method: request.method, url: pathname + search, headers, body: request.body ?? [] },
    { signal: gone.signal },
  );
  let leave = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    leave = () => {
      gone.abort();
      reject(signal?.reason);
    };
  });
  aborted.catch(() => {});
  signal?.addEventListener('abort', leave);
  const ends = (isComplete: boolean): void => {
    // A signal may be that of many calls.
    signal?.removeEventListener('abort', leave);
    call.ends(isComplete);
  };
  try {
    const answer = await Promise.race([answerCall(parts, call), aborted]);
    if (answer === undefined) throw new TypeError('fetch failed', { cause: connectionReset() });
    call.answers(answer);
    return responseOf(answer, call, { request, aborted, leave, ends });
  } catch (error) {
    ends(false);
    throw error;
  }
}

/** What a connection that ends without an answer looks like to a caller of Node's fetch. */
function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
}

/** Statuses whose answers have no body. */
const bodyless: readonly number[] = [204, 205, 304];

interface Caller {
  readonly request: Request;
  /** Rejects when the caller aborts the request. */
  readonly aborted: Promise<never>;
  leave(): void;
  /** Called once, when the answer was read or left. */
  ends(isComplete: boolean): void;
}

function responseOf({ status, headers, body }: Answer, call: Call, caller: Caller): Response {
  const hasBody = caller.request.method !== 'HEAD' && !bodyless.includes(status);
  const isStream = hasBody && body !== undefined && !isBytes(body);
  if (!isStream) caller.ends(true);
  const content = isStream ? streamOf(body, call, caller) : hasBody ? copyOf(body) : null;
  const response = new Response(content, { status, headers });
  return Object.defineProperty(response, 'url', { value: caller.request.url });
}

/** Plain bytes, as fetch returns them, and not those of a buffer that Node shares. */
function copyOf(bytes: AsyncIterable<Uint8Array> | Uint8Array | undefined): Uint8Array<ArrayBuffer> {
  return isBytes(bytes) ? new Uint8Array(bytes) : new Uint8Array(0);
}

/** Asks for each piece when it is read. */
function streamOf(
  body: AsyncIterable<Uint8Array>,
  call: Call,
  { aborted, leave, ends }: Caller,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await Promise.race([pieces.next(), aborted]);
          if (!done) return controller.enqueue(copyOf(value));
          ends(true);
          controller.close();
        } catch (error) {
          const isLeft = call.signal.aborted;
          if (!isLeft) call.noteFailure(error);
          ends(false);
          controller.error(isLeft ? error : new TypeError('terminated', { cause: error }));
        }
      },
      async cancel() {
        leave();
        ends(false);
        await pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
