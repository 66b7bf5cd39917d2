import type { ServerResponse } from 'node:http';
import { type Exchange, type Operation, Refusal, type Visit, withoutValues } from '@speech-api/server';
import { headerNames, operationTable } from '@speech-api/types';
import type { Account } from '../accounts.ts';
import type { OperationHandlers, OperationParts } from '../operations/context.ts';
import type { CallRecorder, RecentCalls } from '../recent-calls.ts';
import { keptFileUrl } from './kept-files.ts';
import { recordCall } from './log.ts';

/** Dependencies for answering calls. */
export interface Sandbox extends OperationParts {
  readonly handlers: OperationHandlers;
  readonly recentCalls: RecentCalls;
  /** Number of requests under way, by the id of their user. */
  readonly underWay: Map<string, number>;
}

/** A call on its way through the checks of the sandbox. */
interface Caller {
  readonly sandbox: Sandbox;
  readonly response: ServerResponse;
  /** Absent when the key is missing or unknown. */
  readonly account: Account | undefined;
}

/** Begins a call of the interface: who calls, whether they may, and what answers. */
export function visitSandbox(sandbox: Sandbox, exchange: Exchange): Visit {
  const { request, response, signal, key } = exchange;
  const recorder: CallRecorder = recordCall(sandbox.recentCalls, exchange);
  const account = sandbox.state.accounts.byKey(key);
  const caller: Caller = { sandbox, response, account };
  return {
    checks: {
      'key-unknown': () => checkKey(caller),
      forbidden: () => checkPermission(caller),
      concurrency: () => takePlace(caller),
      credit: (operation) => checkCredit(caller, operation),
    },
    answer(call) {
      if (account === undefined) throw new Error('The order of refusals has no check of the key.');
      const fileUrl = keptFileUrl(request.headers.host);
      return sandbox.handlers[call.operation.id]({
        ...sandbox,
        call,
        exchange,
        account,
        response,
        signal,
        recorder,
        fileUrl,
      });
    },
    onRefusal: ({ message }) => recorder.remark(withoutValues(message)),
    onFaults: (words) => recorder.remark(`Fault: ${words}.`),
  };
}

function checkKey({ account }: Caller): void {
  if (account !== undefined) return;
  const message =
    'The sandbox does not know this API key. GET / of the sandbox shows one that works; --seed adds your own.';
  throw new Refusal('key-unknown', { message });
}

function checkPermission({ account }: Caller): void {
  if (account?.always !== 'forbidden') return;
  throw new Refusal('forbidden', { message: 'This key may not make this request.' });
}

function takePlace({ sandbox: { underWay }, account, response }: Caller): void {
  if (account === undefined) return;
  const id = account.user._id;
  const others = account.always === 'busy' ? account.concurrency : (underWay.get(id) ?? 0);
  const isFull = others >= account.concurrency;
  response.setHeader(headerNames.concurrencyLimit, account.concurrency);
  response.setHeader(headerNames.concurrencyInUse, isFull ? others : others + 1);
  if (isFull) {
    const message = `${account.concurrency} requests of this account are under way, which is its limit.`;
    throw new Refusal('concurrency', { message, headers: { [headerNames.retryAfter]: '1' } });
  }
  underWay.set(id, others + 1);
  response.once('close', () => underWay.set(id, (underWay.get(id) ?? 1) - 1));
}

function checkCredit({ sandbox: { state }, account }: Caller, operation: Operation | undefined): void {
  if (account === undefined || operation === undefined || !operationTable[operation.id].billed) return;
  if (state.wallets.read(account.user._id).available > 0n) return;
  throw new Refusal('credit', { message: 'The account has no credit left.' });
}
