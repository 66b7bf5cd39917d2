/** An object of a seed file, before anything is known of its fields. */
export type SeedObject = Readonly<Record<string, unknown>>;

/**
 * An object of a seed file.
 *
 * @param known the fields it may have; any when left out
 * @throws Error naming the place
 */
export function objectAt(value: unknown, where: string, known?: readonly string[]): SeedObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${where} must be an object.`);
  }
  const unknown = known && Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`${where} has the unknown field \`${unknown}\`; it may have ${known?.join(', ')}.`);
  }
  return value as SeedObject;
}

/**
 * A list of a seed file; one that is left out is empty.
 *
 * @throws Error naming the place
 */
export function listAt(value: unknown, where: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`${where} must be an array.`);
  return value;
}
