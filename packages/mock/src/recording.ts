import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type HarEntry, type HarHeaders, readHar } from '@speech-api/program/har';
import {
  type Answer,
  bytesAnswer,
  bytesWritten,
  type CallLog,
  type IncomingRequest,
  type ReceivedCall,
  type Receiver,
  Refusal,
} from '@speech-api/server';
import { asObject } from '@speech-api/spec/read';
import { headerNames } from '@speech-api/types';

/** Answers a call as it was recorded. One that was recorded several times gets its answers in order, then the last. */
export type AnswerRecorded = (call: ReceivedCall) => Promise<Answer>;

interface RecordedExchange {
  readonly call: ReceivedCall;
  readonly answer: Answer;
  isPlayed: boolean;
}

/**
 * Reads a HAR file. Recorded requests that the specification refuses are left out: the mock refuses them itself. When the
 * log is cleared, the recording begins anew.
 *
 * @throws Error that names the file, for one that is no HAR or lacks the body of an answer
 */
export function openRecording(file: string, receiver: Receiver, log: CallLog): AnswerRecorded {
  const entries = readEntries(file);
  const receive = async ([request, answer]: Entry): Promise<RecordedExchange[]> => {
    const call = await receiver.receive(request, {}).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
    return call === undefined ? [] : [{ call, answer, isPlayed: false }];
  };
  let received: Promise<readonly RecordedExchange[][]> | undefined;
  log.whenCleared.push(() => {
    received = undefined;
  });
  return async (call) => {
    received ??= Promise.all(entries.map(receive));
    const exchanges = (await received).flat();
    const same = exchanges.filter((exchange) => differencesOf(exchange.call, call)?.length === 0);
    const next = same.find(({ isPlayed }) => !isPlayed) ?? same.at(-1);
    if (next === undefined) throw notRecorded(call, exchanges);
    next.isPlayed = true;
    return next.answer;
  };
}

type Entry = readonly [IncomingRequest, Answer];

function readEntries(file: string): readonly Entry[] {
  try {
    const { entries } = readHar(readFileSync(file, 'utf8'), file);
    if (entries.length === 0) throw new Error('it has no entries');
    return entries.flatMap((entry, index): Entry[] => {
      // Live sessions and calls without an answer are not replayed.
      if (entry.status < 200) return [];
      const body = entry.responseBody();
      const { pathname, search } = new URL(entry.url);
      if (body === undefined)
        throw new Error(`the answer of entry ${index + 1}, ${entry.method} ${pathname}, was not kept whole`);
      const answer = bytesAnswer(entry.status, body, playedHeaders(entry.responseHeaders));
      return [[requestOf(entry, pathname + search), answer]];
    });
  } catch (cause) {
    throw new Error(`The recording ${file} cannot be read: ${(cause as Error).message}.`, { cause });
  }
}

function requestOf({ method, requestHeaders, requestBody, raw }: HarEntry, url: string): IncomingRequest {
  const { mimeType = '', text, _file } = asObject(asObject(raw.request).postData);
  // A form keeps its texts, whatever became of its files.
  const body = requestBody() ?? (typeof text === 'string' ? Buffer.from(text) : undefined);
  if (body === undefined && _file !== undefined)
    throw new Error(
      `the request ${method} ${url} has its body in ${_file}, which is not beside the recording`,
    );
  const type = mimeType === '' ? {} : { 'content-type': String(mimeType) };
  return { method, url, headers: { ...playedHeaders(requestHeaders), ...type }, body: body ? [body] : [] };
}

/** Headers of the connection, of its encoding and of the page that was allowed then. */
const unplayed =
  /^(?::.*|content-(?:encoding|length)|transfer-encoding|connection|keep-alive|date|vary|access-control-.*)$/;

function playedHeaders(headers: HarHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !unplayed.test(name)));
}

/** The names of the values in which two calls differ; undefined if they are for different operations. */
function differencesOf(recorded: ReceivedCall, call: ReceivedCall): readonly string[] | undefined {
  if (recorded.operation.id !== call.operation.id) return undefined;
  const [before, now] = [valuesOf(recorded), valuesOf(call)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.filter((name) => !isDeepStrictEqual(before[name], now[name]));
}

function valuesOf({ path, query, headers, body }: ReceivedCall): Record<string, unknown> {
  const written = bytesWritten(body, (bytes) => bytes.toString('base64'));
  return { ...path, ...query, model: headers[headerNames.model], ...asObject(written) };
}

function notRecorded(call: ReceivedCall, exchanges: readonly RecordedExchange[]): Refusal {
  const { method, path, id } = call.operation;
  const [nearest] = exchanges
    .map((exchange) => differencesOf(exchange.call, call))
    .filter((differences) => differences !== undefined)
    .sort((first, second) => first.length - second.length);
  const names = new Set(exchanges.map((exchange) => exchange.call.operation.id));
  const hint = nearest
    ? `The nearest recorded call of ${id} differs in ${nearest.join(', ')}`
    : `It has ${[...names].join(', ') || 'no call'}`;
  return new Refusal('not-found', { message: `The recording has no such ${method} ${path}. ${hint}.` });
}
