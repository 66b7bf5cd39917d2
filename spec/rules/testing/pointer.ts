import { isObject, type JsonValue } from '../../build/json.ts';

/** What a JSON pointer leads to, `undefined` when nothing is there. References on the way are not followed. */
export function valueAtPointer(document: JsonValue, pointer: string): JsonValue | undefined {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<JsonValue | undefined>((inside, key) => {
      if (Array.isArray(inside)) return inside[Number(key)];
      return isObject(inside) && Object.hasOwn(inside, key) ? inside[key] : undefined;
    }, document);
}
