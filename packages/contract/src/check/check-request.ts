import type { HttpExchange, RecordedRequest } from '../exchange.ts';
import { judgeRequest } from '../judge/judge.ts';
import { Protocol } from '../judge/protocol.ts';
import type { Finding } from '../judge/report.ts';
import { hideKeys, keyOf } from '../key.ts';
import { findOperation } from '../specification/operations.ts';
import { clientRules } from '../specification/rules.ts';

/**
 * Checks a request against the contract without sending it: key, media type, fields, and the rules between fields.
 *
 * @throws RangeError when method and path belong to no operation
 * @throws TypeError when url is not absolute
 */
export async function checkRequest(request: RecordedRequest): Promise<readonly Finding[]> {
  const name = `${request.method} ${new URL(request.url).pathname}`;
  const response = { status: 0, headers: {}, body: new Uint8Array(), ended: 'complete' } as const;
  const exchange: HttpExchange = { kind: 'http', name, request, response };
  if (findOperation(request.method, request.url) === undefined)
    throw new RangeError(`${name} is not an operation of the API.`);
  const protocol = new Protocol('full', clientRules());
  await judgeRequest(exchange, protocol);
  return hideKeys(protocol.findings, [keyOf(exchange) ?? '']);
}
