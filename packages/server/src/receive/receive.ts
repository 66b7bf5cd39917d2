import { type Check, checkInOrder, Refusal } from '../refuse/refusal.ts';
import type { Operation } from '../spec/operations.ts';
import { JobPool, movableBuffersIn, programBeside } from '../threads/job-pool.ts';
import { type RequestState, requestChecks } from './checks.ts';
import {
  createStandards,
  type JudgedRequest,
  judgeRequest,
  type ReadRequest,
  type ReceiverOptions,
} from './judge.ts';
import type { JudgeReply, JudgeTask } from './judge-thread.ts';
import { type IncomingRequest, readHeaders, refuseUndecodable } from './request.ts';
import { createRouter } from './router.ts';

/** A request that the spec allows: routed, decoded, judged. */
export interface ReceivedCall extends JudgedRequest {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
}

/** What a server adds to the checks of a request's head, each at its place in the order of refusals. */
export interface ServerChecks {
  /** By the id of the refusal they may throw: `foreign-host`, `key-missing`, `concurrency` and so on. */
  readonly [refusal: string]: ((operation: Operation | undefined) => void | Promise<void>) | undefined;
}

/** Receives requests one at a time. */
export interface Receiver {
  /**
   * Routes, decodes and judges a request in the order of the spec's refusals.
   *
   * @param checks those that need the server's own knowledge
   * @param beforeBody called when the body is about to be read: the time for `100 Continue`
   * @throws Refusal for the first check that fails
   */
  receive(request: IncomingRequest, checks: ServerChecks, beforeBody?: () => void): Promise<ReceivedCall>;
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
  const findRoute = createRouter(standards.operations);
  return {
    async receive(request, serverChecks, beforeBody) {
      const [path = '/', ...queryParts] = (request.url ?? '/').split('?');
      const route = findRoute(request.method ?? 'GET', path);
      const operation = route.kind === 'operation' ? route.operation : undefined;
      const state: RequestState = { standards, request, route, operation, path, beforeBody, chunks: [] };
      const checks: Record<string, Check> = {};
      for (const [id, check] of Object.entries(serverChecks)) if (check) checks[id] = () => check(operation);
      for (const [id, check] of requestChecks) {
        checks[id] = () => refuseUndecodable(() => check(state), operation);
      }
      await checkInOrder(checks, () => operation?.id);
      if (route.kind !== 'operation') throw new Error('The order of refusals has no check of the path.');
      const read: ReadRequest = {
        operationId: route.operation.id,
        path: route.pathParameters,
        queryText: queryParts.join('?'),
        headers: readHeaders(request, operation),
        ...(state.mediaType === undefined ? {} : { mediaType: state.mediaType }),
        contentType: request.headers['content-type'] ?? '',
        chunks: state.chunks,
      };
      const isLarge = sum(read.chunks) > largeBytes;
      const judged = await (isLarge ? judgeInThread(read, options) : judgeRequest(read, standards));
      return { operation: route.operation, path: route.pathParameters, ...judged };
    },
  };
}

function sum(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((total, chunk) => total + chunk.length, 0);
}

async function judgeInThread(request: ReadRequest, options: ReceiverOptions): Promise<JudgedRequest> {
  const reply = await judges.run({ request, options }, {}, [...movableBuffersIn(request.chunks)]);
  if ('refusal' in reply) throw new Refusal(reply.refusal, reply.details);
  return reply.judged;
}
