/** Fields by their names: an object of JSON or a map of MessagePack. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for an object that is neither an array nor bytes. */
export function isFields(value: unknown): value is Fields {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}
