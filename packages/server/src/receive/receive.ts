import { chooseMediaType, readBody } from '../decode/body.ts';
import { type Check, checkInOrder, Refusal } from '../refuse/refusal.ts';
import type { Operation } from '../spec/operations.ts';
import { JobPool, movableBuffersIn, programBeside } from '../threads/job-pool.ts';
import {
  createStandards,
  type JudgedRequest,
  judgeRequest,
  type ReadRequest,
  type ReceiverOptions,
} from './judge.ts';
import type { JudgeReply, JudgeTask } from './judge-thread.ts';
import { type IncomingRequest, readHeaders, refuseUndecodable, takesBody } from './request.ts';
import { createRouter, describeUnknownPath } from './router.ts';

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
  const { operations, limits } = standards;
  const findRoute = createRouter(operations);
  return {
    async receive(request, serverChecks, beforeBody) {
      const [path = '/', ...queryParts] = (request.url ?? '/').split('?');
      const route = findRoute(request.method ?? 'GET', path);
      const operation = route.kind === 'operation' ? route.operation : undefined;
      let mediaType: string | undefined;
      let chunks: readonly Uint8Array[] = [];
      // Those of the server, and those up to the last byte of the body.
      const checks: Record<string, Check> = {
        'unknown-path'() {
          if (route.kind !== 'unknown-path') return;
          throw new Refusal('unknown-path', { message: describeUnknownPath(path, operations) });
        },
        'unknown-method'() {
          if (route.kind !== 'unknown-method') return;
          const allow = route.allow.join(', ');
          const message = `${path} does not take ${request.method}; use ${allow}.`;
          throw new Refusal('unknown-method', { message, headers: { allow } });
        },
        'media-type'() {
          if (operation === undefined || !takesBody(operation, request)) return;
          const { 'content-type': header, 'content-encoding': coding } = request.headers;
          mediaType = chooseMediaType(header, Object.keys(operation.bodies), coding);
        },
        async 'body-too-large'() {
          if (mediaType === undefined) return;
          if (Number(request.headers['content-length'] ?? 0) <= limits.bodyBytes) beforeBody?.();
          chunks = await readBody(request, limits.bodyBytes);
        },
      };
      for (const [id, check] of Object.entries(serverChecks)) if (check) checks[id] = () => check(operation);
      await refuseUndecodable(() => checkInOrder(checks, () => operation?.id), operation);
      if (route.kind !== 'operation') throw new Error('The order of refusals has no check of the path.');
      const read: ReadRequest = {
        operationId: route.operation.id,
        path: route.pathParameters,
        queryText: queryParts.join('?'),
        headers: readHeaders(request, operation),
        mediaType,
        contentType: request.headers['content-type'] ?? '',
        chunks,
      };
      const isLarge = sum(chunks) > largeBytes;
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
