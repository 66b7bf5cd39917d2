/** One of those that are compared. When it gives no number, the time it took is its figure, in milliseconds. */
export type Contender = () => unknown;

/**
 * Runs all contenders in turn, round after round, so that whatever else the machine does meets each of them alike.
 * The first round warms up and does not count.
 *
 * @returns the median of each.
 */
export async function interleave<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  rounds: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[];
  const samples = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    // Every other round runs backwards, so that no subject always follows the same one.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      globalThis.gc?.();
      const begin = performance.now();
      const given = await contenders[name]();
      const elapsed = performance.now() - begin;
      if (round > 0) samples.get(name)?.push(typeof given === 'number' ? given : elapsed);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

/** The middle one, or the mean of the two in the middle. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
