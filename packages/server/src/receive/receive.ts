import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { chooseMediaType, readBody } from '../decode/body.ts';
import { decodeLimits } from '../decode/failure.ts';
import { type Check, checkInOrder, Refusal } from '../refuse/refusal.ts';
import type { Operation } from '../spec/operations.ts';
import { JobPool, movableBuffersIn, programBeside } from '../threads/job-pool.ts';
import { show } from '../validate/words.ts';
import {
  createStandards,
  type JudgedRequest,
  judgeRequest,
  type ReadRequest,
  type ReceiverOptions,
} from './judge.ts';
import type { JudgeReply, JudgeTask } from './judge-thread.ts';
import { watchLongField } from './long-fields.ts';
import { createRouter, describeUnknownPath } from './router.ts';

/** The part of a request that a receiver reads, such as an `IncomingMessage` of `node:http`. */
export type IncomingRequest = Readable & {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
};

/** A request that the spec allows: routed, decoded, judged. */
export interface ReceivedCall extends JudgedRequest {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
}

/** A server's own checks of a request's head, each at its place in the order of refusals. */
export interface ServerChecks {
  /** By the id of the refusal they may throw: `foreign-host`, `key-missing`, `concurrency` and so on. */
  readonly [refusal: string]: ((operation: Operation | undefined) => void | Promise<void>) | undefined;
}

/** Surroundings of a request. */
export interface ReceiveOptions {
  /** Called when the body is about to be read: the time for `100 Continue`. */
  readonly beforeBody?: (() => void) | undefined;
  /** Aborted when the caller has left: a large request is then no longer judged. */
  readonly signal?: AbortSignal | undefined;
}

/** Receives requests one at a time. */
export interface Receiver {
  /**
   * Routes, decodes and judges a request in the order of the spec's refusals.
   *
   * @param checks those that need the server's own knowledge
   * @throws Refusal for the first check that fails
   */
  receive(request: IncomingRequest, checks: ServerChecks, options?: ReceiveOptions): Promise<ReceivedCall>;
}

/** Larger bodies are judged in a thread: 60 MB can take seconds, in which no other request would be answered. */
const largeBytes = 65_536;

/** Shared by all servers of a process. A thread needs some 300 ms to start, and ends to give its memory back. */
const judges = new JobPool<JudgeTask, JudgeReply>({
  program: programBeside(import.meta.url, './judge-thread'),
  threads: 2,
  idleMilliseconds: 5_000,
  // A text of 64 MiB is there twice for a moment, in two bytes a character.
  heapMegabytes: 768,
});

/** Makes a receiver over the paths and schemas of the spec. */
export function createReceiver(options: ReceiverOptions = {}): Receiver {
  const standards = createStandards(options);
  const { operations } = standards;
  const findRoute = createRouter(operations);
  return {
    async receive(request, serverChecks, { beforeBody, signal } = {}) {
      const [path = '/', ...queryParts] = (request.url ?? '/').split('?');
      const route = findRoute(request.method ?? 'GET', path);
      const operation = route.kind === 'operation' ? route.operation : undefined;
      let mediaType: string | undefined;
      let bytes = new Uint8Array();
      // Those of the server, and those up to the last byte of the body.
      const checks: Record<string, Check> = {
        'unknown-path'() {
          if (route.kind !== 'unknown-path') return;
          throw new Refusal('unknown-path', { message: describeUnknownPath(path, operations) });
        },
        'unknown-method'() {
          if (route.kind !== 'unknown-method') return;
          const allow = route.allow.join(', ');
          const message = `${show(path)} does not take ${request.method}; use ${allow}.`;
          throw new Refusal('unknown-method', { message, headers: { allow } });
        },
        'media-type'() {
          if (operation === undefined || !takesBody(operation, request)) return;
          const { 'content-type': header, 'content-encoding': coding } = request.headers;
          mediaType = chooseMediaType(header, Object.keys(operation.bodies), coding);
        },
        async 'body-too-large'() {
          if (operation === undefined || mediaType === undefined) return;
          if (Number(request.headers['content-length'] ?? 0) <= decodeLimits.bodyBytes) beforeBody?.();
          const watch = watchLongField(operation.id, mediaType, request.headers['content-type'] ?? '');
          bytes = await readBody(request, decodeLimits.bodyBytes, watch);
        },
      };
      for (const [id, check] of Object.entries(serverChecks)) if (check) checks[id] = () => check(operation);
      try {
        await checkInOrder(checks, operation?.id);
        if (route.kind !== 'operation') throw new Error('The order of refusals has no check of the path.');
        const { pathParameters } = route;
        const headers = readHeaders(request, route.operation);
        const contentType = request.headers['content-type'] ?? '';
        const read: ReadRequest = {
          operationId: route.operation.id,
          path: pathParameters,
          queryText: queryParts.join('?'),
          headers,
          mediaType,
          contentType,
          bytes,
        };
        const isLarge = bytes.length > largeBytes;
        const judged = await (isLarge ? judgeInThread(read, options, signal) : judgeRequest(read, standards));
        return { operation: route.operation, path: pathParameters, ...judged };
      } catch (error) {
        throw error instanceof Refusal && operation?.issuesNamePart ? namingParts(error) : error;
      }
    },
  };
}

/** The same refusal, in whose list each entry says which part of the request it is about. */
function namingParts({ entry, message, issues, headers, cause }: Refusal): Refusal {
  const named = issues.map((issue) => ({ ...issue, in: issue.loc[0] ?? '' }));
  return new Refusal(entry.id, { message, issues: named, headers, cause });
}

/** Whether to read a body: the operation takes one, and it is required or present. */
function takesBody(operation: Operation, request: IncomingRequest): boolean {
  if (Object.keys(operation.bodies).length === 0) return false;
  const { 'content-length': length, 'transfer-encoding': coding, 'content-type': type } = request.headers;
  const hasBody = coding !== undefined || (length !== undefined && length !== '0') || type !== undefined;
  return operation.bodyRequired || hasBody;
}

/** The header parameters of an operation, by lower-case name. */
function readHeaders({ headers }: IncomingRequest, { parameters }: Operation): Record<string, string> {
  const names = Object.keys(parameters.header.properties ?? {}).filter((name) => headers[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, [headers[name] ?? ''].flat().join(', ')]));
}

async function judgeInThread(
  request: ReadRequest,
  options: ReceiverOptions,
  signal: AbortSignal | undefined,
): Promise<JudgedRequest> {
  const moved = [...movableBuffersIn(request.bytes)];
  const reply = await judges.run({ request, options }, { deadline: 60_000, signal }, moved);
  if ('refusal' in reply) throw new Refusal(reply.refusal, reply.details);
  return reply.judged;
}
