import { headerNames, type OperationId, operationTable } from '@speech-api/types';
import type { RecordedRequest } from '../../exchange/http-exchange.ts';
import type { Call, Key } from '../step.ts';
import type { Target } from '../target.ts';
import { encodeBody } from './encode-body.ts';

/** A key that no server has given out. It says itself that it is none. */
const wrongKey = 'speech-contract-no-such-key';

/** Writes a call down as the request that is sent. */
export function writeCall(operationId: OperationId, call: Call, target: Target): RecordedRequest {
  const operation = operationTable[operationId];
  const path = (call.elsewhere ?? operation.path).replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = call.path?.[name];
    if (value === undefined) throw new Error(`${operationId} needs a value for {${name}} of its path`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams(
    (call.query ?? []).map(([name, value]): [string, string] => [name, value]),
  ).toString();
  const body = writeBody(call, operation.requestMediaTypes[0]);
  return {
    method: call.method ?? operation.method,
    url: `${target.base}${path}${query === '' ? '' : `?${query}`}`,
    headers: {
      accept: '*/*',
      'user-agent': 'speech-contract',
      ...authorization(call.key, target),
      ...(body !== undefined && {
        'content-type': body.contentType,
        'content-length': String(body.bytes.length),
      }),
      ...call.headers,
    },
    ...(body !== undefined && { body: body.bytes }),
    ...(call.fields !== undefined && { decoded: call.fields }),
  };
}

/** The header with the key, if there is to be one. */
export function authorization(key: Key = 'given', target: Target): Record<string, string> {
  if (key === 'none') return {};
  return { [headerNames.authorization]: `Bearer ${key === 'given' ? target.key : wrongKey}` };
}

function writeBody(call: Call, usual: string | undefined) {
  const mediaType = call.mediaType ?? usual;
  if (call.bytes !== undefined)
    return { contentType: mediaType ?? 'application/octet-stream', bytes: call.bytes };
  if (call.fields === undefined) return undefined;
  if (mediaType === undefined) throw new Error('a body needs a media type');
  return encodeBody(mediaType, call.fields);
}
