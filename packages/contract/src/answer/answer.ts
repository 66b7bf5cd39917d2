import { headerNames } from '@speech-api/types';
import type { Headers, HttpExchange } from '../exchange/http-exchange.ts';
import {
  type DocumentedResponse,
  findOperation,
  type Operation,
  operations,
  pathValues,
} from '../specification/operations.ts';
import { isJsonType, mediaTypeOf } from './media-type.ts';
import { decodeRequest } from './request-body.ts';
import { type DecodedJson, decodeJson } from './strict-json.ts';

/** One HTTP answer beside what was asked, ready for the rules. */
export interface Answer {
  readonly exchange: HttpExchange;
  /** Left out when the request belongs to no operation, as with an unknown path. */
  readonly operation?: Operation;
  readonly status: number;
  readonly isSuccess: boolean;
  /** What the spec says of this status. */
  readonly documented?: DocumentedResponse;
  /** Without parameters; empty when the answer names none, `undefined` when it names something that is none. */
  readonly mediaType: string | undefined;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The body as JSON: where it is called so, or where JSON is due. */
  readonly json?: DecodedJson;
  readonly asked: AskedFor;
}

/** What the request asked for. */
export interface AskedFor {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The decoded body, if it can be read. */
  readonly body: unknown;
  readonly traceparent: string | undefined;
}

/** Reads an exchange for the rules. */
export async function readAnswer(exchange: HttpExchange): Promise<Answer> {
  const { request, response } = exchange;
  const operation =
    exchange.operationId === undefined
      ? findOperation(request.method, request.url)
      : operations().get(exchange.operationId);
  const documented = operation?.responses.get(response.status);
  const mediaType = mediaTypeOf(response.headers['content-type']);
  const isSuccess = response.status === 101 || (response.status >= 200 && response.status < 300);
  const answer = {
    exchange,
    status: response.status,
    isSuccess,
    mediaType,
    headers: response.headers,
    body: response.body,
    asked: {
      path: operation === undefined ? {} : pathValues(operation, request.url),
      query: URL.canParse(request.url) ? new URL(request.url).searchParams : new URLSearchParams(),
      headers: request.headers,
      body: await decodeRequest(request),
      traceparent: request.headers[headerNames.traceparent],
    },
    ...(operation !== undefined && { operation }),
    ...(documented !== undefined && { documented }),
  };
  if (response.isBodyMissing === true) return answer;
  return isJsonDue(answer) ? { ...answer, json: decodeJson(response.body) } : answer;
}

/** Errors are JSON whatever they are called: their shape is judged, and a page is of no shape. */
function isJsonDue({ status, documented, body, mediaType }: Omit<Answer, 'json'>): boolean {
  if (status >= 400) return true;
  if ([...(documented?.content.keys() ?? [])].some(isJsonType)) return true;
  return body.length > 0 && mediaType !== undefined && isJsonType(mediaType);
}
