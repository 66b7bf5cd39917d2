import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { headerNames, mediaTypes } from '@speech-api/types/constants';
import { operationTable } from '@speech-api/types/operations';
import type { RelayLimits } from './defaults.ts';
import { traceParent } from './http.ts';
import { checkRequest } from './messages.ts';
import type { RelayOperation } from './options.ts';
import { Refusal, refusalOfAnswer } from './refusal.ts';
import type { CheckedOptions } from './schema.ts';
import type { Admission } from './session.ts';

/** Sets what a page on an allowed origin may read and send. Set on refusals too, so that it can read them. */
export function allowOrigin(response: ServerResponse, origin: string | undefined): void {
  response.setHeader('vary', 'origin');
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-expose-headers', `${headerNames.traceId}, ${headerNames.retryAfter}`);
}

/** Answers the preflight request that a browser sends before a request with custom headers. */
export function answerPreflight(response: ServerResponse): void {
  const { authorization, model, traceparent } = headerNames;
  response.setHeader('access-control-allow-methods', 'POST');
  response.setHeader(
    'access-control-allow-headers',
    `content-type, ${authorization}, ${model}, ${traceparent}`,
  );
  response.setHeader('access-control-max-age', '600');
  response.writeHead(204).end();
}

/** The ticket of a request over HTTP: it comes as the key would. */
export function ticketOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/**
 * Reads and checks a request, sends it on with the key, and passes the answer on as it comes.
 *
 * @param call aborted with a Refusal to cut it, and by a page that leaves
 * @throws Refusal before anything was answered; the answer is cut when the service's is, so that both look alike
 */
export async function passOn(
  operation: RelayOperation,
  admission: Admission,
  { upstream, limits }: Pick<CheckedOptions, 'upstream' | 'limits'>,
  response: ServerResponse,
  call: AbortController,
): Promise<void> {
  // The page has left while it was decided upon.
  if (response.destroyed) return;
  const { grant, trace, counted } = admission;
  // The page has left: the rest is not wanted, and would be billed.
  response.once('close', () => call.abort());
  const timer = setTimeout(() => call.abort(new Refusal(408)), limits.sessionSeconds * 1000);
  let late: NodeJS.Timeout | undefined;
  try {
    const { body, characters } = await readRequest(response.req, admission, limits);
    counted.used += characters;
    late = setTimeout(
      () => call.abort(new Refusal(502, 'The service did not answer in time.')),
      limits.firstByteSeconds * 1000,
    );
    const answer = await fetch(`${upstream.baseUrl}${operationTable[operation].path}`, {
      method: operationTable[operation].method,
      headers: {
        [headerNames.authorization]: `Bearer ${upstream.apiKey}`,
        [headerNames.model]: grant.model ?? upstream.model,
        [headerNames.traceparent]: traceParent(trace),
        'content-type': mediaTypes.json,
      },
      body,
      // A key does not follow to another address.
      redirect: 'manual',
      signal: call.signal,
    });
    if (answer.status !== 200 || !answer.body) {
      await answer.body?.cancel();
      throw refusalOfAnswer(answer.status, answer.headers.get(headerNames.retryAfter) ?? undefined);
    }
    const audio = Readable.fromWeb(answer.body);
    await once(audio, 'readable');
    clearTimeout(late);
    const type = answer.headers.get('content-type') ?? '';
    // Nothing that a browser would run on the relay's own origin.
    const harmless = /^(?:audio\/[\w.+-]+|text\/event-stream)(?:;|$)/i.test(type);
    response.setHeader('content-type', harmless ? type : 'application/octet-stream');
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('cache-control', 'no-store');
    response.setHeader(headerNames.traceId, trace.id);
    // A failure on either side destroys the other one.
    await pipeline(audio, response);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // A page that disconnects is not a failure of the service.
    const left =
      error === call.signal.reason || (error as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!left) throw new Refusal(502);
  } finally {
    clearTimeout(timer);
    clearTimeout(late);
  }
}

/** @throws Refusal for a body that is not JSON, is too long or too slow, or goes beyond the grant */
async function readRequest(
  request: IncomingMessage,
  { grant, counted }: Admission,
  limits: RelayLimits,
): Promise<{ readonly body: string; readonly characters: number }> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal(422, `The content-type must be ${mediaTypes.json}.`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const slow = setTimeout(() => request.destroy(), limits.answerSeconds * 1000);
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limits.messageBytes)
        throw new Refusal(413, `The body has more than ${limits.messageBytes} bytes.`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(408, 'The body did not come.');
  } finally {
    clearTimeout(slow);
  }
  let value: unknown;
  let body: string;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString());
    // Written anew: the service reads what is checked here. A body of too many levels fails here.
    body = JSON.stringify(value);
  } catch {
    throw new Refusal(422, 'The body is not JSON of a few levels.');
  }
  const characters = [...checkRequest(value, { ...grant, references: false })].length;
  await counted.addCharacters(characters);
  return { body, characters };
}
