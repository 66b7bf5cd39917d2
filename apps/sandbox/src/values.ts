/** Whether a value is an object with fields: neither an array nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Numbers = Uint8Array | Int16Array | Float32Array;

/** One array of its own memory, so that it can be handed to another thread. */
export function joinArrays<List extends Numbers>(
  create: new (length: number) => List,
  parts: readonly List[],
): List {
  const joined = new create(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  return joinArrays<Uint8Array>(Uint8Array, parts);
}
