import { editDistance } from './edit-distance.ts';

/** Words longer than this are not compared: a name of a megabyte is no typing error. */
const longestCompared = 64;

/**
 * The name that was probably meant, or `undefined` when none is near: at most one error for each three letters,
 * with case, `_`, `-` and `[]` not counted, so that `referenceId` finds `reference_id`.
 */
export function suggest(given: string, candidates: Iterable<string>): string | undefined {
  if (given.length > longestCompared) return undefined;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of candidates) {
    const distance = editDistance(plain(given), plain(name.split('.').at(-1) ?? name));
    const allowed = Math.floor(Math.min(given.length, name.length) / 3);
    if (distance <= allowed && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
