import type { IncomingMessage } from 'node:http';
import {
  type FaultyResponse,
  type Operation,
  Refusal,
  sendRefusal,
  traceIdOf,
  type Upgrade,
} from '@speech-api/server';
import { headerNames } from '@speech-api/types';
import type { OpenCall } from '../calls/call-log.ts';
import { settingsOf } from '../calls/settings.ts';
import { violationOf, violationsOf } from '../calls/violations.ts';
import { faultsOf } from '../faults/faults-of.ts';
import { strike } from '../faults/strike.ts';
import { handlers } from '../operations/handlers.ts';
import { takePreferences } from '../prefer/prefer.ts';
import { secondOpinion } from '../prism/second-opinion.ts';
import { CutOnPurpose } from './cut-on-purpose.ts';
import type { MockContext } from './mock-context.ts';
import { answerOwnPage, answerPreflight } from './own-pages.ts';

/** What comes with a request that is not only one. */
export interface RequestExtras {
  /** Called when the body is about to be read. */
  readonly beforeBody?: () => void;
  /** The connection, where it is to be changed to a WebSocket. */
  readonly upgrade?: Upgrade;
}

/** Answers one request, whatever it is and whatever goes wrong. */
export async function handleRequest(
  mock: MockContext,
  request: IncomingMessage,
  response: FaultyResponse,
  extras: RequestExtras = {},
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  response.on('error', () => gone.abort());
  response.setHeader(headerNames.traceId, traceIdOf(request));
  for (const [name, value] of Object.entries(mock.origins.headersFor(request.headers.origin))) {
    response.setHeader(name, value);
  }
  try {
    if (answerPreflight(mock, request, response) || answerOwnPage(mock, request, response)) return;
    const record = mock.log.open(request, () => statusOf(response));
    response.once('close', () => record.ended());
    const signal = AbortSignal.any([gone.signal, mock.closing]);
    await answer(mock, request, response, { ...extras, record, signal });
  } catch (error) {
    answerFailure(mock, request, response, error);
  }
}

interface CallParts extends RequestExtras {
  readonly signal: AbortSignal;
  readonly record: OpenCall;
}

async function answer(
  mock: MockContext,
  request: IncomingMessage,
  response: FaultyResponse,
  { signal, record, beforeBody, upgrade }: CallParts,
): Promise<void> {
  const preferences = takePreferences(request);
  const note = <Failure>(error: Failure): never => {
    if (error instanceof Refusal) record.violates(violationsOf(error));
    throw error;
  };
  const checks = {
    'foreign-host': () => mock.origins.checkHost(request.headers.host),
    'foreign-origin': () => mock.origins.checkOrigin(request.headers.origin),
    'key-missing': (operation: Operation | undefined) => {
      // Here the path is known to be one of the document.
      if (operation !== undefined) record.isFor(operation);
      checkKey(request.headers.authorization, mock.keys);
    },
    'upgrade-required': () => {
      if (upgrade !== undefined) return;
      const message = 'This address is for WebSockets: send the headers of an upgrade.';
      const headers = { upgrade: 'websocket', connection: 'upgrade' };
      throw new Refusal('upgrade-required', { message, headers });
    },
  };
  const call = await mock.receiver.receive(request, checks, beforeBody).catch(note);
  record.sent(settingsOf(call));
  record.violates(call.tolerated.map((issue) => violationOf(issue, 'tolerated')));
  if (call.tolerated.length === 0) {
    const complaints = secondOpinion(request, call);
    record.violates(
      complaints.map(({ path, message }) => ({ rule: 'second-opinion', loc: path, type: '', message })),
    );
  }
  const faults = faultsOf(request, mock.faults);
  if (faults !== undefined && (await strike(faults, response, signal))) return;
  const { live, liveIdleSeconds } = mock;
  const about = { call, request, response, preferences, signal, record, upgrade };
  await handlers[call.operation.id]({ ...about, live, liveIdleSeconds });
}

/** @throws Refusal `key-missing` or `key-unknown` */
function checkKey(authorization: string | undefined, keys: MockContext['keys']): void {
  const [, key] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (key === undefined) {
    const message = 'The header `Authorization: Bearer <API_KEY>` is missing or has another form.';
    throw new Refusal('key-missing', { message });
  }
  if (keys === undefined || keys.has(key)) return;
  throw new Refusal('key-unknown', {
    message: 'The API key is none of those that this mock was started with.',
  });
}

function statusOf(response: FaultyResponse): number | undefined {
  return response.headersSent || response.statusCode === switchingProtocols ? response.statusCode : undefined;
}

/** A connection that became a WebSocket: its answer was given. */
const switchingProtocols = 101;

function answerFailure(
  mock: MockContext,
  request: IncomingMessage,
  response: FaultyResponse,
  error: unknown,
): void {
  const expected = error instanceof Refusal || error instanceof CutOnPurpose || isAbort(error);
  if (!expected) mock.onFailure(error);
  // Cut after the first byte, or left by the caller: there is nobody to answer.
  if (response.headersSent || response.destroyed) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  if (error instanceof Refusal) sendRefusal(request, response, error);
  else if (isAbort(error))
    sendRefusal(request, response, new Refusal('overloaded', { message: 'The mock is closing.' }));
  else
    sendRefusal(
      request,
      response,
      new Refusal('fault', { message: 'The mock failed; its log has the reason.' }),
    );
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
