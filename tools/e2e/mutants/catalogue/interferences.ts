import { isObject, withJson } from '../change/json.ts';
import type { Mutant } from '../mutant.ts';
import type { CarriedAnswer, CarriedRequest, Interference } from '../proxy/carried.ts';
import { type Operation, operationOf } from '../specification.ts';

/** What a mutant does to answers. */
export type AnswerChange = (answer: CarriedAnswer, request: CarriedRequest) => CarriedAnswer | undefined;

/** Whether a call is one of an operation. */
export function isCallOf(operation: Operation): Interference['concerns'] {
  const pattern = new RegExp(`^${operation.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
  return ({ method, path }) => method === operation.method && pattern.test(path);
}

/** The whole interference of a mutant: the calls of its operation, unless it says otherwise. */
export function interferenceOf({ operation, interference }: Mutant): Interference {
  return { concerns: isCallOf(operationOf(operation)), ...interference };
}

export const isSuccess = ({ status }: CarriedAnswer): boolean => status >= 200 && status < 300;

/** Changes successful answers alone. */
export const onSuccess =
  (change: AnswerChange): AnswerChange =>
  (answer, request) =>
    isSuccess(answer) ? change(answer, request) : undefined;

/** Changes answers of one status alone. */
export const onStatus =
  (status: number, change: AnswerChange): AnswerChange =>
  (answer, request) =>
    answer.status === status ? change(answer, request) : undefined;

/** The same answer with another header, or without it. */
export function withHeader(answer: CarriedAnswer, name: string, value: string | undefined): CarriedAnswer {
  const { [name]: _before, ...headers } = answer.headers;
  return { ...answer, headers: value === undefined ? headers : { ...headers, [name]: value } };
}

/** The same answer with another status, also in its general error, so that nothing else is wrong with it. */
export function withStatus(answer: CarriedAnswer, status: number): CarriedAnswer {
  const changed = { ...answer, status };
  if (answer.status < 400) return changed;
  return (
    withJson(changed, (body) => (isObject(body) && 'status' in body ? { ...body, status } : body)) ?? changed
  );
}

/** An answer in JSON, with the headers that say nothing about a body. */
export function jsonAnswer(answer: CarriedAnswer, status: number, body: unknown): CarriedAnswer {
  return textAnswer(answer, status, 'application/json', JSON.stringify(body));
}

/** An answer of any type, with the headers that say nothing about a body. */
export function textAnswer(answer: CarriedAnswer, status: number, type: string, body: string): CarriedAnswer {
  const { 'transfer-encoding': _coding, ...headers } = answer.headers;
  const bytes = Buffer.from(body);
  return {
    status,
    headers: { ...headers, 'content-type': type, 'content-length': String(bytes.length) },
    body: bytes,
  };
}

/** A general error, as it would be right for the status. */
export const generalError = (answer: CarriedAnswer, status: number): CarriedAnswer =>
  jsonAnswer(answer, status, { status, message: 'The proxy says so.' });
