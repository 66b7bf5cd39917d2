/** A value of a JSON document. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** An object of a JSON document; a member may be absent. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** Tells an object from every other value of a JSON document. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON pointer to `name` inside what `pointer` names. */
export function pointerTo(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
