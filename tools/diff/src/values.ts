import { isObject, type Json } from '@speech-api/spec/read';

/** Whether two values are equal, regardless of the order of members. */
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

/** A short form of a value on one line, for a sentence. */
export function inWords(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
