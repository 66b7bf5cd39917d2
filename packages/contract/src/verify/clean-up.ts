import { operationTable } from '@speech-api/types';
import type { Exchange } from '../exchange.ts';
import { asObject } from '../specification/document.ts';
import { isSuccess } from '../subjects/answer.ts';
import { sendCall, type TransportLimits } from '../transport/send-call.ts';
import type { Target } from './request.ts';
import { writeCall } from './request.ts';
import { jsonOf } from './scenarios/making.ts';

/** Keeps a list of the voice models that a run has created, until each is deleted. */
export function createCleanUp(target: Target, limits: TransportLimits) {
  const ids = new Set<string>();
  const lost: string[] = [];
  let calls = 0;
  return {
    /** Number of calls that `finish` has made. */
    get calls() {
      return calls;
    },
    /** Checks every exchange for created and deleted voice models. */
    note(exchange: Exchange, failure?: Error): void {
      if (exchange.kind !== 'http') return;
      const { status } = exchange.response;
      if (exchange.operationId === 'createModel') {
        const id = jsonOf(exchange)?._id;
        if (typeof id === 'string') ids.add(id);
        // A refused connection carried nothing.
        else if (isRefused(failure)) return;
        // A server may have created the voice although its answer was lost or unreadable.
        else if (status === 0 || isSuccess(status)) lost.push(titleOf(exchange.request.decoded));
      }
      if (exchange.operationId === 'deleteModel' && isGone(status)) {
        ids.delete(lastSegment(exchange.request.url));
      }
    },
    /** Deletes the remaining voice models. @returns descriptions of those that could not be deleted */
    async finish(): Promise<readonly string[]> {
      const leftovers: string[] = lost.map(
        (title) =>
          `perhaps a voice model ${title === '' ? 'without a title' : `with the title "${title}"`}, whose answer could not be read`,
      );
      for (const id of ids) {
        calls += 1;
        const request = await writeCall('deleteModel', { path: { id } }, target);
        const { response } = await sendCall(request, limits);
        if (isGone(response.status)) ids.delete(id);
        else
          leftovers.push(
            `the voice model ${id}: ${operationTable.deleteModel.method} answered ${response.status || 'nothing'}`,
          );
      }
      return leftovers;
    },
  };
}

/** True if nothing accepted the connection, so that nothing was sent. */
export function isRefused(failure: Error | undefined): boolean {
  return failure !== undefined && 'code' in failure && failure.code === 'ECONNREFUSED';
}

const isGone = (status: number): boolean => status === 404 || isSuccess(status);

function lastSegment(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
}

function titleOf(fields: unknown): string {
  return String(asObject(fields).title ?? '');
}
