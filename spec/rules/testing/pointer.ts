import { isObject, type Json } from '../../read.ts';

/** The value at a JSON pointer, or `undefined`. References on the way are not followed. */
export function valueAtPointer(document: Json, pointer: string): Json | undefined {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Json | undefined>((inside, key) => {
      if (Array.isArray(inside)) return inside[Number(key)];
      return isObject(inside) && Object.hasOwn(inside, key) ? inside[key] : undefined;
    }, document);
}
