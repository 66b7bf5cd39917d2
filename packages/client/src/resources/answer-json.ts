import type { operations } from '@speech-api/types';
import { copyOf } from '../copy.ts';
import type { Answer, Call, CallPromise, Core } from '../core/call.ts';
import { loadLater } from '../on-demand.ts';
import type { BodyOptions, CallOptions } from '../options.ts';
import type { Operation } from './operations.ts';

type Later = Awaited<ReturnType<typeof loadLater>>;

/** A call that is answered with JSON; what it sends is described when that part of the client is loaded. */
export function answerJson<Value, Given, Options extends CallOptions>(
  core: Core,
  operationId: keyof operations,
  options: Options,
  given: Given,
  describe: (later: Later, copy: Given, options: BodyOptions<never>) => Operation<Value>,
): CallPromise<Value> {
  const call = core.open(operationId, options);
  return call.answer(perform(core, call, given, describe));
}

async function perform<Value, Given>(
  core: Core,
  call: Call,
  given: Given,
  describe: (later: Later, copy: Given, options: BodyOptions<never>) => Operation<Value>,
): Promise<Answer<Value>> {
  // Copied before anything is waited for: the caller may use its objects for the next call.
  const copy = copyOf(given);
  const later = await loadLater();
  const { read, ...sent } = describe(later, copy, call.options);
  const response = await core.send(call, sent);
  return { data: await read(call, response), response };
}
