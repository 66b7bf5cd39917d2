import { headerNames } from '@speech-api/types/constants';
import { retryAfterSeconds } from '../api-error.ts';
import { ConfigurationError, ConnectionError } from '../errors.ts';
import type { FetchInit } from '../options.ts';
import { asResponse, cancelBody, readBeginning, withBody } from './body.ts';
import type { Call } from './call.ts';
import { bodyFor, type EncodedBody } from './encode.ts';

// How the request of a call is tried: once or several times, each try with its redirects.

/** A request that no middleware sees. One of the platform takes 20 us more, and would copy the bytes of its body. */
export class PlainRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;

  constructor(url: string, { method, headers }: Omit<PlainRequest, 'url'>) {
    this.url = url;
    this.method = method;
    this.headers = headers;
  }
}

/** A request as openapi-fetch made it, with the option `encoded`. One that a middleware made in its place lacks that. */
export type MadeRequest = (PlainRequest | Request) & { readonly encoded?: EncodedBody };

/** Sends the request, and repeats it only if that is allowed. The body of an error has been read, perhaps in part. */
export async function exchange(call: Call, request: MadeRequest): Promise<Response> {
  const { retry } = call;
  const isRepeatable = retry.methods.includes(request.method);
  let body: EncodedBody | undefined;
  for (let tries = 0; ; tries += 1) {
    await call.enter();
    let delay: number | undefined;
    try {
      body ??= await bodyOf(request);
      const response = await followRedirects(call, request.url, await initOf(call, request, body));
      const { ok, status, headers } = response;
      call.log('debug', 'response', { status }, headers);
      if (ok) return asResponse(response);
      if ((isRepeatable && isRetryableStatus(status)) || (retry.unbilled && status === 429)) {
        delay = retryDelay(retry, tries, retryAfterSeconds(headers));
      }
      if (delay !== undefined && request.method === 'GET') cancelBody(response);
      else {
        const { text, isComplete } = await readErrorText(call, response);
        // A broken-off error may mean less than it says, so a call that may be billed is not repeated for it.
        if (delay === undefined || !isComplete) {
          call.finish();
          // An error whose body has been read, for the middleware and openapi-fetch.
          return withBody(response, text);
        }
      }
    } catch (error) {
      if (isOfNext(error)) throw error;
      const failure = call.failureOf(error);
      if (
        ConnectionError.isInstance(failure) &&
        (isRepeatable || (retry.unbilled && !failure.perhapsBilled))
      ) {
        delay = retryDelay(retry, tries, undefined);
      }
      if (delay === undefined) throw call.end(failure);
      call.log('warn', 'failure', { error: failure.name });
    }
    await call.pause(delay);
  }
}

/** The body of a request: ours, whatever a middleware has read of it, or else that of the platform, held as a whole. */
async function bodyOf(request: MadeRequest): Promise<EncodedBody | undefined> {
  if (request.encoded || request instanceof PlainRequest) return request.encoded;
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  const content = new Uint8Array(await request.arrayBuffer());
  return content.length === 0 ? undefined : { contentType: '', content, byteLength: content.length };
}

type Init = Omit<FetchInit, 'signal'>;

/** The init of `fetch`. A stream is created anew for each try. */
async function initOf(
  call: Call,
  { method, headers: requestHeaders }: MadeRequest,
  encoded: EncodedBody | undefined,
): Promise<Init> {
  const { settings } = call;
  const { 'content-length': _length, ...headers } = Object.fromEntries(requestHeaders);
  const body = encoded && (await bodyFor(encoded, settings.streamsUploads));
  if (headers[headerNames.authorization] === undefined) {
    const authorization = await call.within('headers', settings.authorization(), (milliseconds) => {
      return new ConfigurationError(`apiKey() gave no key within ${milliseconds} ms`);
    });
    if (authorization !== undefined) headers[headerNames.authorization] = authorization;
  }
  call.log('debug', 'request', undefined, requestHeaders);
  const isStream = body instanceof ReadableStream;
  if (isStream) headers['content-length'] = String(encoded?.byteLength);
  return {
    method,
    headers,
    redirect: 'manual',
    ...withoutStore(),
    // Only Node's own `fetch` gets a stream.
    ...(body !== undefined && { body: body as string }),
    ...(isStream && { duplex: 'half' }),
  };
}

/** The answer to a request. A GET follows redirects within the origin that the caller named. */
async function followRedirects(call: Call, firstAddress: string, init: Init): Promise<Response> {
  for (let hops = 0, address = firstAddress; ; hops += 1) {
    const response = await call.fetch(address, init);
    const { type, redirected, status } = response;
    if (type !== 'opaqueredirect' && !redirected && (status < 300 || status > 399)) return response;
    const location = response.headers.get('location') ?? '';
    const target = location && URL.canParse(location, address) ? new URL(location, address) : undefined;
    cancelBody(response);
    // Other redirects are errors, so that the key and the text never reach an unknown address.
    if (target?.origin !== new URL(address).origin || init.method !== 'GET' || hops === 5) {
      const place = target ? ` to ${target.origin}` : '';
      throw call.protocolError(
        `the service redirects${place}, which is not followed; is baseUrl the right address?`,
      );
    }
    address = target.href;
  }
}

/** True for what Next.js throws from `fetch` to render a page at request time. It must reach Next.js unchanged. */
const isOfNext = (error: unknown): boolean =>
  typeof (error as { digest?: unknown } | null)?.digest === 'string';

let noStore: Pick<FetchInit, 'cache'> | undefined;

/**
 * Sets `cache: 'no-store'`. Otherwise Next.js 14 keeps answers, those of a POST too: audio would come late and all at once, and
 * the same text would get the audio of before. Empty if the runtime refuses it.
 */
function withoutStore(): Pick<FetchInit, 'cache'> {
  if (noStore) return noStore;
  noStore = { cache: 'no-store' };
  try {
    new Request('http://localhost', noStore);
  } catch {
    noStore = {};
  }
  return noStore;
}

/** True if a complete answer with this status may be retried. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/**
 * Time in milliseconds to wait before the next try; undefined means give up.
 *
 * Full jitter spreads clients that failed together; if the service asks for a longer wait than the maximum,
 * there is no retry, because an earlier one would be refused again.
 */
export function retryDelay(
  options: Readonly<Record<'retries' | 'minimumDelay' | 'maximumDelay', number>>,
  retriesDone: number,
  serviceSeconds: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  if (retriesDone >= options.retries) return undefined;
  if (serviceSeconds !== undefined) {
    const milliseconds = serviceSeconds * 1000;
    return milliseconds <= options.maximumDelay ? milliseconds : undefined;
  }
  return random() * Math.min(options.maximumDelay, options.minimumDelay * 2 ** retriesDone);
}

/** Milliseconds to read an error's body; a page of HTML says nothing more after that. */
const errorBodyTime = 5000;
const maximumErrorBytes = 64 * 1024;

/** The beginning of an error's body, without the key: its status matters more than how the body ended. */
export async function readErrorText(
  call: Call,
  { body }: Response,
): Promise<{ readonly text: string; readonly isComplete: boolean }> {
  const milliseconds = Math.min(errorBodyTime, call.timeouts.idle);
  const { bytes, isComplete } = await readBeginning(body, milliseconds, maximumErrorBytes);
  if (call.failure) throw call.failure;
  return { text: call.settings.redact(new TextDecoder().decode(bytes)), isComplete };
}
