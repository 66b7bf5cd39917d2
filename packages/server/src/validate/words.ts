/** `a, b or c`. */
export function listed(values: readonly unknown[]): string {
  const words = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** What kind of value something is, with its article; a number with a fraction is shown, since its kind is not the fault. */
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
