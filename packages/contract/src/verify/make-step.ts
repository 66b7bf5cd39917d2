import type { Exchange, HttpExchange, RecordedResponse } from '../exchange.ts';
import { describeFailure } from '../transport/address.ts';
import { holdSession, liveAddress } from '../transport/hold-session.ts';
import { sendCall, type TransportLimits } from '../transport/send-call.ts';
import type { Target } from './preflight.ts';
import { authorization, writeCall } from './request.ts';
import type { Memory, Step } from './step.ts';

/** An exchange, and why there was no answer where there was none. */
export interface Made {
  readonly exchange: Exchange;
  readonly failure?: Error;
}

/** Makes one step and notes down what was seen. */
export async function makeStep(
  step: Step,
  memory: Memory,
  target: Target,
  limits: TransportLimits,
  signal?: AbortSignal,
): Promise<Made> {
  const common = {
    name: step.name,
    expectation: step.expectation,
    ...(step.groups !== undefined && { groups: step.groups }),
    ...(step.repeats !== undefined && { repeats: step.repeats }),
  };
  if (step.kind === 'live') {
    const headers = { ...authorization(step.key, target), ...step.headers };
    const call = { url: liveAddress(target.live), headers, script: step.script(memory) };
    const { failure, upgrade, ...session } = await holdSession(call, limits, signal);
    const exchange: Exchange = {
      kind: 'live',
      operationId: 'openLiveSession',
      ...common,
      ...session,
      upgrade: { ...upgrade, response: explained(upgrade.response, failure) },
    };
    return { exchange, ...(failure !== undefined && { failure }) };
  }
  const call = step.call(memory);
  const request = writeCall(step.operationId, call, target);
  const isOfOperation = call.method === undefined && call.elsewhere === undefined;
  // Whoever breaks off while a voice model is made never learns its id, and cannot delete it.
  const breakable = step.operationId === 'createModel' ? undefined : signal;
  const { response, failure } = await sendCall(request, limits, breakable);
  const exchange: HttpExchange = {
    kind: 'http',
    ...(isOfOperation && { operationId: step.operationId }),
    ...common,
    request,
    response: explained(response, failure),
  };
  return { exchange, ...(failure !== undefined && { failure }) };
}

function explained(response: RecordedResponse, failure: Error | undefined): RecordedResponse {
  return failure === undefined ? response : { ...response, failure: describeFailure(failure) };
}
