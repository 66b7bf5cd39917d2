import { isObject, type JsonObject } from '../specification/document.ts';
import type { Answer } from './answer.ts';

/** The voice models of one answer. */
export interface JudgedModels {
  readonly answer: Answer;
  /** One, or those of a page. */
  readonly models: readonly JsonObject[];
  /** The page, when it is one. */
  readonly page?: JsonObject;
}

/** `undefined` when the answer holds none. */
export function readModels(answer: Answer): JudgedModels | undefined {
  const value = answer.json !== undefined && 'value' in answer.json ? answer.json.value : undefined;
  if (!isObject(value)) return undefined;
  if (answer.operation?.id !== 'listModels') return { answer, models: [value] };
  const items = Array.isArray(value.items) ? value.items.filter(isObject) : [];
  return { answer, models: items, page: value };
}

/** Values of a parameter that may be repeated, also as `name[]`. */
export function queryValues(answer: Answer, name: string): readonly string[] {
  return [...answer.asked.query.getAll(name), ...answer.asked.query.getAll(`${name}[]`)];
}
