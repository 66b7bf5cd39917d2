import { isDeepStrictEqual } from 'node:util';
import type { CarriedAnswer } from '../proxy/carried.ts';

/** An object of JSON. */
export type JsonObject = Record<string, unknown>;

/** Whether something is an object that is no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The answer with another JSON body; `undefined` when it has none, or when the change leaves it as it is. */
export function withJson(
  answer: CarriedAnswer,
  change: (value: unknown) => unknown,
): CarriedAnswer | undefined {
  const type = String(answer.headers['content-type'] ?? '');
  if (!type.includes('json')) return undefined;
  const before: unknown = JSON.parse(answer.body.toString());
  const after = change(structuredClone(before));
  if (isDeepStrictEqual(before, after)) return undefined;
  return { ...answer, body: Buffer.from(JSON.stringify(after)) };
}

/** The answer with one field of its JSON object changed. */
export function withField(
  answer: CarriedAnswer,
  name: string,
  change: (value: unknown) => unknown,
): CarriedAnswer | undefined {
  return withJson(answer, (value) =>
    isObject(value) && name in value ? { ...value, [name]: change(value[name]) } : value,
  );
}
