import { isDeepStrictEqual } from 'node:util';

/** Whether a value that was sent is the one that is answered. A form sends one tag, or several joined by commas, as a string. */
export function isSame(answered: unknown, sent: unknown): boolean {
  if (isDeepStrictEqual(answered, sent)) return true;
  if (!Array.isArray(answered)) return false;
  const list = typeof sent === 'string' ? [[sent], sent.split(',').map((each) => each.trim())] : [];
  return list.some((each) => isDeepStrictEqual(answered, each));
}
