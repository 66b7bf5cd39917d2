import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { headerNames, operationTable } from '@speech-api/types';

const shape = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/;

/**
 * The trace id of a W3C `traceparent` header, or `undefined` when the header is absent or invalid.
 *
 * A version later than 00 may have more after its flags; version ff and ids of only zeros are invalid.
 */
export function readTraceId(header: string | undefined): string | undefined {
  const [, version, traceId, parentId, rest] = shape.exec(header ?? '') ?? [];
  if (version === undefined || traceId === undefined || parentId === undefined) return undefined;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  return /^0+$/.test(traceId) || /^0+$/.test(parentId) ? undefined : traceId;
}

/** A new trace id: 32 hex digits. A UUID is one, and Node makes them from a pool: many times faster than 16 fresh bytes. */
export function newTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

/** The endpoints that take `traceparent` continue a valid trace; all others, and all else, start their own. */
export function traceIdOf(request: IncomingMessage): string {
  const path = (request.url ?? '').split('?')[0];
  const traced = Object.values(operationTable).some((each) => each.acceptsTraceparent && each.path === path);
  const header = [request.headers[headerNames.traceparent]].flat().join(',');
  return (traced ? readTraceId(header) : undefined) ?? newTraceId();
}
