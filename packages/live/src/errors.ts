import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  InsufficientCreditError,
  InvalidRequestError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  ProtocolError,
  ServerError,
  type SpeechError,
  TooManyRequestsError,
} from '@speech-api/client';
import { headerNames } from '@speech-api/types/constants';
import { liveCloseCodes } from '@speech-api/types/live';

const classes: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  402: InsufficientCreditError,
  403: PermissionDeniedError,
  404: NotFoundError,
  413: PayloadTooLargeError,
  422: InvalidRequestError,
  429: TooManyRequestsError,
};

/** What is known about a refusal in addition to its status. */
interface Refusal {
  readonly words: string;
  readonly headers?: Headers;
  readonly body?: unknown;
  readonly traceId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** The error of the client's family for a status. */
export function statusError(status: number, refusal: Refusal): ApiError {
  const { words, headers = new Headers(), body, traceId, retryAfterSeconds } = refusal;
  const ErrorClass = classes[status] ?? (status >= 500 ? ServerError : ApiError);
  return new ErrorClass(`openLiveSession: ${status} ${shorten(words)}`, {
    status,
    operationId: 'openLiveSession',
    headers,
    body,
    issues: Array.isArray(body) ? body.filter((entry) => typeof entry === 'object' && entry !== null) : [],
    traceId: headers.get(headerNames.traceId) ?? traceId,
    retryAfterSeconds,
  });
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
  const body = parse(text);
  const seconds = Number(headers.get(headerNames.retryAfter) ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
  return statusError(status, { words: describe(body), headers, body, retryAfterSeconds });
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
  if (status !== undefined) return statusError(status, { words, traceId });
  return new ConnectionError(`openLiveSession: the connection ended before finish (${words})`);
}

/** What the documented close codes of a failed session mean as a status. */
const statusOfClose: Readonly<Record<number, number>> = {
  [liveCloseCodes.notMessagePack]: 400,
  [liveCloseCodes.refused]: 400,
  [liveCloseCodes.tooLarge]: 413,
  [liveCloseCodes.fault]: 500,
  // "Try again later", from a gateway.
  1013: 503,
};

/** The first words of a text from outside, in one line. */
export function shorten(text: string): string {
  const line = text
    .replace(/<(style|script|head)\b.*?<\/\1>|<[^>]*>/gis, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return shorten(text);
  }
}

function describe(body: unknown): string {
  if (Array.isArray(body)) {
    const issues = body as readonly ({ readonly loc?: unknown; readonly msg?: unknown } | null)[];
    return issues.map((issue) => `${[issue?.loc ?? []].flat().join('.')}: ${issue?.msg}`).join('; ');
  }
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : body;
  return typeof message === 'string' && message !== '' ? message : 'with an unexplained body';
}
