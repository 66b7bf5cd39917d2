/** Draws from a seeded source. */
export interface Choices {
  /** From 0 to below 1. */
  number(): number;
  /** From 0 to below `count`. */
  below(count: number): number;
  /** Whether something happens that does so in `share` of all cases. */
  chance(share: number): boolean;
  of<Item>(items: readonly Item[]): Item;
  bytes(length: number): Buffer;
}

/** Makes choices of random numbers. */
export function createChoices(number: () => number): Choices {
  const below = (count: number): number => Math.floor(number() * count);
  return {
    number,
    below,
    chance: (share) => number() < share,
    of(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('there is nothing to choose from');
      return item;
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
