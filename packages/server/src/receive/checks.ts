import { chooseMediaType, readBody } from '../decode/body.ts';
import { Refusal } from '../refuse/refusal.ts';
import type { Operation } from '../spec/operations.ts';
import type { Standards } from './judge.ts';
import { type IncomingRequest, takesBody } from './request.ts';
import { describeUnknownPath, type Route } from './router.ts';

/** A request whose head has come. */
export interface RequestState {
  readonly standards: Standards;
  readonly request: IncomingRequest;
  readonly route: Route;
  /** Absent when the path or the method is unknown. */
  readonly operation: Operation | undefined;
  readonly path: string;
  /** Called when the body is about to be read. */
  readonly beforeBody: (() => void) | undefined;
  /** Absent when there is no body to read. */
  mediaType?: string;
  chunks: readonly Uint8Array[];
}

/** Throws a `Refusal` or a `DecodeFailure`, or lets the request pass. */
export type RequestCheck = (state: RequestState) => void | Promise<void>;

/** The checks up to the last byte of the body, by the id of the refusal they may throw, in the order of the spec's refusals. */
export const requestChecks: readonly (readonly [refusal: string, check: RequestCheck])[] = [
  ['unknown-path', checkPath],
  ['unknown-method', checkMethod],
  ['media-type', checkMediaType],
  ['body-too-large', readWholeBody],
];

function checkPath({ route, path, standards }: RequestState): void {
  if (route.kind !== 'unknown-path') return;
  throw new Refusal('unknown-path', { message: describeUnknownPath(path, standards.operations) });
}

function checkMethod({ route, request, path }: RequestState): void {
  if (route.kind !== 'unknown-method') return;
  const allow = route.allow.join(', ');
  const message = `${path} does not take ${request.method}; use ${allow}.`;
  throw new Refusal('unknown-method', { message, headers: { allow } });
}

function checkMediaType(state: RequestState): void {
  const { operation, request } = state;
  if (operation === undefined || !takesBody(operation, request)) return;
  const { 'content-type': header, 'content-encoding': coding } = request.headers;
  state.mediaType = chooseMediaType(header, Object.keys(operation.bodies), coding);
}

async function readWholeBody(state: RequestState): Promise<void> {
  if (state.mediaType === undefined) return;
  const { bodyBytes } = state.standards.limits;
  if (Number(state.request.headers['content-length'] ?? 0) <= bodyBytes) state.beforeBody?.();
  state.chunks = await readBody(state.request, bodyBytes);
}
