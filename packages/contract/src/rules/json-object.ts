import type { Answer } from '../answer/answer.ts';
import { isObject, type JsonObject } from '../specification/document.ts';

/** The body of an answer, when it is a JSON object. */
export function jsonObject({ json }: Answer): JsonObject | undefined {
  return json !== undefined && 'value' in json && isObject(json.value) ? json.value : undefined;
}
