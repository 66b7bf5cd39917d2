import { distance } from 'fastest-levenshtein';

/** `a, b or c`. */
export function listed(values: readonly unknown[]): string {
  const words = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Type of a value, with its article; a number with a fraction is shown, since its type is not the problem. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number' && !Number.isInteger(value)) return show(value);
  return withArticle(typeof value);
}

/** `an integer`, `a string`. */
export function withArticle(type: string): string {
  if (type === 'null') return 'null';
  return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** A short form of a value for a message, which only its sender sees. */
export function show(value: unknown): string {
  return typeof value === 'number' ? String(value) : clip(JSON.stringify(value) ?? String(value));
}

/** Shortens a text to 60 characters. */
export function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** `["references", "0", "audio"]` as a person writes it: `references[0].audio`. */
export function describePath(path: readonly string[]): string {
  return path
    .map(clip)
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

/** Longer words are not compared: a name of a megabyte is not a typing error. */
const longestCompared = 64;

/**
 * The name that was probably meant, or `undefined` when none is near: at most one edit for each three letters,
 * with case, `_`, `-` and `[]` not counted, so that `referenceId` finds `reference_id`.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > longestCompared) return undefined;
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of candidates) {
    const edits = distance(plain(word), plain(name.split('.').at(-1) ?? name));
    const allowed = Math.ceil(Math.min(word.length, name.length) / 3);
    if (edits <= allowed && (best === undefined || edits < best.edits)) best = { name, edits };
  }
  return best?.name;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
