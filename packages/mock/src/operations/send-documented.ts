import { Refusal, sendJson } from '@speech-api/server';
import { headerNames } from '@speech-api/types';
import { type AnswerWish, type DocumentedAnswer, documentedAnswer } from '../prism/answers.ts';
import { madeUp } from '../prism/made-up.ts';
import type { OperationContext } from './context.ts';

/**
 * Answers with what the document has: the example asked for, else the first one, as `change` leaves it.
 *
 * @param change makes the first example fit the request; not called for one that was asked for by name
 */
export async function sendDocumented(
  { call, response, preferences }: OperationContext,
  wish: AnswerWish = {},
  change: (body: unknown) => unknown = (body) => body,
): Promise<void> {
  const { code, example, dynamic, seed } = preferences;
  const wished = {
    ...wish,
    ...(code === undefined ? {} : { code }),
    ...(example === undefined ? {} : { example }),
  };
  const answer = choose(() => documentedAnswer(call.operation.id, wished));
  const made = dynamic ? await madeUp(call.operation.id, answer, seed) : undefined;
  const { status, headers, body } = made ?? answer;
  const own = withoutTrace(headers);
  if (body === undefined) {
    response.writeHead(status, status === noContent ? own : { ...own, 'content-length': 0 }).end();
    return;
  }
  const chosen = made !== undefined || code !== undefined || example !== undefined;
  sendJson(response, status, chosen ? body : change(body), own);
}

const noContent = 204;

/** The mock's answers have a trace id of their own. */
export function withoutTrace(headers: DocumentedAnswer['headers']): Record<string, string> {
  const { [headerNames.traceId]: _, ...rest } = headers;
  return rest;
}

/**
 * Makes a choice that a caller's wish decides.
 *
 * @throws Refusal `rule` when the document has nothing of the kind
 */
export function choose<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    throw new Refusal('rule', { message: `Prefer: ${(error as Error).message}`, cause: error });
  }
}
