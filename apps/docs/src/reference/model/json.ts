/** A JSON value as it stands in the built specification. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object with any keys. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Whether a value is an object, and not an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one when it is none. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as an array; an empty one when it is none. */
export function asArray(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text; empty when it is none. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
