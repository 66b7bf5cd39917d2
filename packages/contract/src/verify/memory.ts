/** What the steps of a run tell each other, such as the id of a voice that was made. */
export interface Memory {
  get(name: string): string;
  bytes(name: string): Uint8Array;
  has(name: string): boolean;
  set(name: string, value: string | Uint8Array): void;
}

/** @param pretend what stands for a value that only a real run knows; without it, asking for one is an error */
export function createMemory(pretend?: (name: string) => string | Uint8Array): Memory {
  const values = new Map<string, string | Uint8Array>();
  const read = (name: string): string | Uint8Array => {
    const value = values.get(name) ?? pretend?.(name);
    if (value === undefined) throw new Error(`nothing is known yet about "${name}"`);
    return value;
  };
  return {
    get: (name) => {
      const value = read(name);
      return typeof value === 'string' ? value : `<${name}>`;
    },
    bytes: (name) => {
      const value = read(name);
      return typeof value === 'string' ? new TextEncoder().encode(value) : value;
    },
    has: (name) => values.has(name) || pretend !== undefined,
    set: (name, value) => {
      values.set(name, value);
    },
  };
}

/** For steps that need nothing of what earlier ones have learned. */
export const emptyMemory: Memory = createMemory(() => '');
