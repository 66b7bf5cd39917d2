import { Bench } from 'tinybench';

export interface Row {
  /** Short name for `--only`. */
  readonly id: string;
  readonly what: string;
  /** The target in words; `met` checks the same. */
  readonly target: string;
  measure(): Promise<readonly Result[]>;
}

export interface Result {
  /** The variant of the row, if it has several. */
  readonly variant?: string;
  readonly ours: number;
  readonly unit: 'KB' | 'MB' | 'files' | 'ms' | 'us' | 'a second' | 'x';
  /** Another library, the bare runtime or part of the work. Ratios are relative to the first one. */
  readonly references: Readonly<Record<string, number>>;
  readonly met: boolean;
}

/** Work to be timed. It may measure a part of itself and return the milliseconds. */
export type Work = () => unknown;

interface Settings {
  readonly rounds?: number;
  /** Number of calls in each round. */
  readonly iterations?: number;
  /** On a busy machine, the wall clock measures the neighbours rather than work that does not wait. */
  readonly clock?: 'wall' | 'processor';
}

const processorMilliseconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Times all contenders in turns, so that other load on the machine affects all of them equally.
 *
 * @returns the median time of one call of each, in milliseconds
 */
export async function compare<Name extends string>(
  contenders: Readonly<Record<Name, Work>>,
  { rounds = 9, iterations = 1, clock = 'wall' }: Settings = {},
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[];
  const samples = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const bench = new Bench({
      iterations,
      time: 0,
      throws: true,
      // The first round is a warm-up for all of them.
      warmup: round === 0,
      warmupTime: 0,
      warmupIterations: iterations,
      setup: () => globalThis.gc?.(),
      ...(clock === 'processor' && { now: processorMilliseconds }),
    });
    // Every other round runs backwards, so that no contender always follows the same one.
    for (const name of round % 2 === 0 ? names : names.toReversed()) bench.add(name, contenders[name]);
    for (const { name, result } of await bench.run()) {
      if ('latency' in result) samples.get(name)?.push(result.latency.p50);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

function median(figures: readonly number[]): number {
  return figures.toSorted((left, right) => left - right)[figures.length >> 1] ?? Number.NaN;
}
