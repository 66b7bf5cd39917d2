import type { operations } from '@speech-api/types';
import { copyOf } from '../copy.ts';
import { type Answer, Call, type CallPromise, type Core } from '../core/call.ts';
import { send } from '../core/http.ts';
import { loadLater } from '../on-demand.ts';
import type { BodyOptions, CallOptions } from '../options.ts';
import type * as described from './operations.ts';

/** The operations that are answered with JSON, by their names in the specification. */
type Described = Pick<typeof described, keyof typeof described & keyof operations>;
type Result<Name extends keyof Described> =
  ReturnType<Described[Name]> extends described.Operation<infer Value> ? Value : never;

/** A call that is answered with JSON. The last thing that its description gets is the media type of the options. */
export function answerJson<Name extends keyof Described>(
  core: Core,
  name: Name,
  options: CallOptions,
  ...given: readonly unknown[]
): CallPromise<Result<Name>> {
  const call = new Call(core, name, options);
  return call.answer(perform(call, name, given));
}

async function perform<Name extends keyof Described>(
  call: Call,
  name: Name,
  given: readonly unknown[],
): Promise<Answer<Result<Name>>> {
  // Copied before anything is waited for: the caller may use its objects for the next call.
  const copy = given.map((value) => (typeof value === 'object' ? copyOf(value) : value));
  const { contentType } = call.options as BodyOptions<never>;
  const describe = (await loadLater())[name] as (...all: unknown[]) => described.Operation<Result<Name>>;
  const { read, ...sent } = describe(...copy, contentType);
  const response = await send(call, sent);
  return { data: await read(call, response), response };
}
