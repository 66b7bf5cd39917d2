import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Call, emptyAnswer, isAbort, refusalAnswer, type Service } from './call.ts';
import { type FaultPlan, type Faults, faultAnswer, withFaults } from './faults.ts';
import { checkUpgrade } from './live/endpoint.ts';
import type { OriginPolicy } from './origins.ts';
import type { Receiver, ServerChecks } from './receive.ts';
import { Refusal } from './refusal.ts';
import { isBytes } from './schema.ts';

/** The parts of a server, which all of its calls share. */
export interface AnsweringParts {
  readonly service: Service;
  readonly receiver: Receiver;
  readonly origins: OriginPolicy;
  readonly faults: FaultPlan;
}

/**
 * Answers a call, whatever goes wrong: makes the checks in the order of the spec's refusals, asks the service, and applies
 * faults.
 *
 * @returns undefined if the connection is to end without an answer
 */
export async function answerCall(parts: AnsweringParts, call: Call): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  try {
    answer =
      answerPreflight(parts, call) ?? (await parts.service.answerOwnPage(call)) ?? (await visit(parts, call));
  } catch (error) {
    answer = failureAnswer(parts, call, error);
  }
  return answer && { ...answer, headers: { ...call.answerHeaders, ...answer.headers } };
}

/** Preflights carry no key. A page that may call may send any header. */
function answerPreflight({ origins }: AnsweringParts, call: Call): Answer | undefined {
  const { method, headers } = call.request;
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined;
  call.checkHost();
  call.checkOrigin();
  return emptyAnswer(204, origins.preflightHeaders(headers['access-control-request-headers']));
}

async function visit(parts: AnsweringParts, call: Call): Promise<Answer | undefined> {
  const { service, receiver, faults } = parts;
  const { request, signal } = call;
  const visit = service.visit(call);
  call.visit = visit;
  const checks: ServerChecks = {
    'foreign-host': () => call.checkHost(),
    'foreign-origin': () => call.checkOrigin(),
    'key-missing': (operation) => {
      call.operation = operation;
      checkKeyForm(call);
    },
    'upgrade-required': () => checkUpgrade(call),
    ...visit.checks,
  };
  const received = await receiver.receive({ ...request, url: visit.url ?? request.url }, checks);
  visit.onReceived?.(received);
  const answer = async (): Promise<Answer> => begun(await visit.answer(received));
  const fault = faults.faultsFor(request);
  if (fault === undefined) return await answer();
  visit.onFaults?.(describeFaults(fault));
  if (fault.delayMilliseconds !== undefined) await sleep(fault.delayMilliseconds, undefined, { signal });
  if (fault.reset) return undefined;
  if (fault.status !== undefined) return withFaults(faultAnswer(fault.status, service.name), fault, signal);
  return withFaults(
    await answer().catch((error: unknown) => failureAnswer(parts, call, error)),
    fault,
    signal,
  );
}

/** The answer once its first piece is made, so that a failure before it can still become an error answer. */
async function begun(answer: Answer): Promise<Answer> {
  const { body } = answer;
  if (body === undefined || isBytes(body)) return answer;
  const pieces = body[Symbol.asyncIterator]();
  const first = await pieces.next();
  return { ...answer, body: resumed(first, pieces) };
}

async function* resumed(
  first: IteratorResult<Uint8Array>,
  pieces: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let piece = first; !piece.done; piece = await pieces.next()) yield piece.value;
  } finally {
    await pieces.return?.();
  }
}

function describeFaults(fault: Faults): string {
  return Object.entries(fault)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}

function checkKeyForm({ key }: Call): void {
  if (key !== undefined) return;
  const message = 'The header `Authorization: Bearer <API_KEY>` is missing or has another form.';
  throw new Refusal('key-missing', { message });
}

/** The reason of a failure goes to the log only: an answer must not show the inside of the server. */
function failureAnswer({ service }: AnsweringParts, call: Call, error: unknown): Answer {
  call.noteFailure(error);
  if (error instanceof Refusal) return refusalAnswer(error);
  if (isAbort(error)) {
    return refusalAnswer(new Refusal('overloaded', { message: `The ${service.name} is closing.` }));
  }
  const message = `The ${service.name} failed; its log has the reason under the trace id ${call.traceId}.`;
  return refusalAnswer(new Refusal('fault', { message }));
}
