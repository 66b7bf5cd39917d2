import { type ApiError, ConnectionError, ProtocolError, type SpeechError } from '@speech-api/client';
import { createApiError, parseError, shorten } from '@speech-api/client/api-error';
import { headerNames } from '@speech-api/types/constants';
import { liveCloseCodes } from '@speech-api/types/live';
import type { SocketTarget } from './socket.ts';

/** The error of the client's family for a status. `body`: what the service says, parsed or as text. */
export function statusError(
  status: number,
  body: unknown,
  traceId?: string | undefined,
  headers: Headers = new Headers(),
): ApiError {
  const answered = headers.get(headerNames.traceId) ?? traceId;
  return createApiError('openLiveSession', { status, headers, url: '' }, body, answered);
}

/** The error for a server that does not answer. Of its address it names no path, which may hold a secret. */
export function unreachable({ url, redact }: SocketTarget, cause: unknown): ConnectionError {
  const { code, message } = cause as Error & { readonly code?: unknown };
  const place = `${new URL(url).origin} (${redact(String(code ?? message))})`;
  const words = `could not connect to ${place}; check the address, and that the server is running`;
  return new ConnectionError(`openLiveSession: ${words}`, { cause });
}

/** The error for an upgrade that was answered with something else than 101. */
export function refusedUpgrade(status: number, headers: Headers, text: string): SpeechError {
  if (status >= 300 && status < 400) {
    return new ProtocolError(
      `openLiveSession: ${status} redirects elsewhere, and a key is not sent to another address; set webSocketUrl`,
      { status },
    );
  }
  if (status < 300) {
    return new ProtocolError(`openLiveSession: ${status} answers the upgrade, which takes 101`, { status });
  }
  return statusError(status, parseError(text), undefined, headers);
}

/** The error for a close before `finish`. Codes from 4400 are the relay's: 4000 and a status. */
export function closedEarly(
  code: number,
  reason: string,
  traceId: string | undefined,
  violation?: unknown,
): SpeechError {
  if (violation !== undefined) {
    const words = `openLiveSession: the server broke the WebSocket protocol: ${(violation as Error).message}`;
    return new ProtocolError(words, { cause: violation });
  }
  const words = reason === '' ? `closed with ${code}` : `closed with ${code}: ${shorten(reason)}`;
  const status = code >= 4400 && code < 4600 ? code - 4000 : statusOfClose[code];
  if (status !== undefined) return statusError(status, words, traceId);
  return new ConnectionError(`openLiveSession: the connection ended before finish (${words})`);
}

/** HTTP statuses that correspond to the documented close codes of a failed session. */
const statusOfClose: Readonly<Record<number, number>> = {
  [liveCloseCodes.notMessagePack]: 400,
  [liveCloseCodes.refused]: 400,
  [liveCloseCodes.tooLarge]: 413,
  [liveCloseCodes.fault]: 500,
  // "Try again later", from a gateway.
  1013: 503,
};
