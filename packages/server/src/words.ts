/** `a, b or c`. */
export function listed(values: readonly unknown[]): string {
  const words = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/**
 * Type of a value, with its article; a number with a fraction is shown, since its type is not the problem.
 */
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

/** A value, short enough for a message. What was sent comes back to its sender only. */
export function show(value: unknown): string {
  return typeof value === 'number' ? String(value) : clip(JSON.stringify(value) ?? String(value));
}

/** At most 60 characters. */
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

/**
 * Number of letters to add, drop, change or swap with their neighbour to turn one word into the other. A swap
 * counts once, because it is a common typing error: `temprature`, `formta`.
 */
function editDistance(one: string, other: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let best = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && swapped) best = Math.min(best, at(beforePrevious, column - 2) + 1);
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
