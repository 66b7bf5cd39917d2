import type { OpenCall } from '@speech-api/server';
import { type Answer, emptyAnswer, jsonAnswer, type ReceivedCall, Refusal } from '@speech-api/server';
import {
  type CreateModelRequest,
  createModelDefaults,
  headerNames,
  listModelsDefaults,
  type OperationId,
  type TranscriptionRequest,
  transcriptionDefaults,
  type VoiceModel,
  type VoiceModelList,
} from '@speech-api/types';
import {
  type AnswerWish,
  type DocumentedAnswer,
  documentedAnswer,
  exampleNames,
} from '../documented-answer.ts';
import type { Preferences } from '../prefer.ts';

export interface OperationContext {
  readonly call: ReceivedCall;
  readonly preferences: Preferences;
  readonly record: OpenCall;
}

export type OperationHandler = (context: OperationContext) => Answer | Promise<Answer>;

/** An operation without a handler is answered as the document has it. */
export type OperationHandlers = Readonly<Partial<Record<OperationId, OperationHandler>>>;

/**
 * Answers with what the document has: the example asked for, else the first one, as `change` leaves it.
 *
 * @param change makes the first example fit the request; not called for one that was asked for by name
 */
export async function answerDocumented(
  { call, preferences }: OperationContext,
  wish: AnswerWish = {},
  change: (body: unknown) => unknown = (body) => body,
): Promise<Answer> {
  const { code, example } = preferences;
  const wished = { ...wish, ...preferences };
  const { status, headers, body } = choose(() => documentedAnswer(call.operation.id, wished));
  const own = withoutTrace(headers);
  if (body === undefined) return emptyAnswer(status, own);
  const chosen = code !== undefined || example !== undefined;
  return jsonAnswer(status, chosen ? body : change(body), own);
}

/** The mock's answers have their own trace id. */
export function withoutTrace(headers: DocumentedAnswer['headers']): Record<string, string> {
  const { [headerNames.traceId]: _, ...rest } = headers;
  return rest;
}

/** Makes a choice by the caller's preferences. @throws Refusal `rule` when the document has nothing of the kind */
export function choose<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    throw new Refusal('rule', { message: `Prefer: ${(error as Error).message}`, cause: error });
  }
}

/** `GET /model`: the document's one page; every later one is empty. */
export const listModels: OperationHandler = (context) => {
  const page = Number(context.call.query.page_number ?? listModelsDefaults.page_number);
  return answerDocumented(context, {}, (body) => {
    const list = body as VoiceModelList;
    return page === listModelsDefaults.page_number ? list : { ...list, items: [], has_more: false };
  });
};

/** `POST /model`: the document's voice model with what was sent for it. */
export const createModel: OperationHandler = (context) => {
  const request = context.call.body as CreateModelRequest;
  return answerDocumented(context, {}, (body) => ({
    ...(body as VoiceModel),
    type: request.type,
    title: request.title,
    train_mode: request.train_mode,
    visibility: request.visibility ?? createModelDefaults.visibility,
    description: request.description ?? '',
    tags: [request.tags ?? []].flat(),
  }));
};

/** `GET /model/{id}`: the document's voice model, under the id that was asked for. */
export const getModel: OperationHandler = (context) => {
  const { id } = context.call.path;
  return answerDocumented(context, {}, (body) => ({ ...(body as VoiceModel), _id: id }));
};

/** `POST /v1/asr`: the document's example with segments, or the one without, as the request asks. */
export const createTranscription: OperationHandler = (context) => {
  const { call, preferences } = context;
  const request = { ...transcriptionDefaults, ...(call.body as TranscriptionRequest) };
  if (preferences.code !== undefined || preferences.example !== undefined) return answerDocumented(context);
  const fitting = exampleNames(call.operation.id, '200').find((example) => {
    const { body } = documentedAnswer(call.operation.id, { example });
    const timed = (body as { readonly segments: readonly unknown[] }).segments.length > 0;
    return timed === !request.ignore_timestamps;
  });
  return answerDocumented(context, fitting === undefined ? {} : { example: fitting });
};

/** `GET /wallet/{user_id}/…`: the document's example, of the user that was asked for. */
export const readWallet: OperationHandler = (context) => {
  const { user_id } = context.call.path;
  return answerDocumented(context, {}, (body) =>
    user_id === 'self' ? body : { ...(body as object), user_id },
  );
};
