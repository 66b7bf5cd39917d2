/** A value of a JSON document. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object of a JSON document; a member may be absent. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Tells an object from every other value of a JSON document. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value when it is an object, else an empty one: for looking into what may not be there. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The value when it is a list, else an empty one. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** One part of a JSON pointer, escaped. */
export function pointerPart(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The names that a JSON pointer is made of. */
export function pointerNames(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Whether two values are the same, whatever the order of members. */
export function isSame(first: Json | undefined, second: Json | undefined): boolean {
  if (first === second) return true;
  if (Array.isArray(first) && Array.isArray(second)) {
    return first.length === second.length && first.every((item, index) => isSame(item, second[index]));
  }
  if (!isObject(first) || !isObject(second)) return false;
  const names = Object.keys(first);
  return (
    names.length === Object.keys(second).length && names.every((name) => isSame(first[name], second[name]))
  );
}

/** A value as one reads it in a sentence: short, and never over several lines. */
export function inWords(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
