export interface Row {
  /** Short name for `--only`. */
  readonly id: string;
  readonly what: string;
  /** The target in words; `met` of the results is the same as code. */
  readonly target: string;
  measure(): Promise<readonly Result[]>;
}

export interface Result {
  /** The case of the row, where it has several. */
  readonly variant?: string;
  readonly ours: number;
  readonly unit:
    | 'KB'
    | 'MB'
    | 'files'
    | 'ms'
    | 'us'
    | 's'
    | 'MB/s'
    | 'x real time'
    | 'a second'
    | 'exponent'
    | 'sessions'
    | 'commands';
  /** Another library, the bare runtime, half the work or a limit. The ratio is to the first of them. */
  readonly references: Readonly<Record<string, number>>;
  /** Undefined where this machine cannot say. */
  readonly met: boolean | undefined;
}

/** Resolves to its figure, or to anything else: then the time it took is its figure, in milliseconds. */
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
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round++) {
    // Every other round runs backwards, so that no contender always follows the same one.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      globalThis.gc?.();
      const begin = performance.now();
      const given = await contenders[name]();
      const figure = typeof given === 'number' ? given : performance.now() - begin;
      if (round > 0) samples[name].push(figure);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples[name])])) as Record<Name, number>;
}

export function median(figures: readonly number[]): number {
  return figures.toSorted((left, right) => left - right)[figures.length >> 1] ?? Number.NaN;
}

/**
 * Runs work that does not wait, and returns the milliseconds of processor time it took, all threads of the process
 * included. On a busy machine the clock on the wall tells more about the neighbours than about the work.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** MB of resident memory at its highest while the work lasts, over what it was before. */
export async function peakMemory(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  const baseline = process.memoryUsage.rss();
  let highest = baseline;
  const look = (): void => {
    highest = Math.max(highest, process.memoryUsage.rss());
  };
  const watch = setInterval(look, 1);
  await work();
  clearInterval(watch);
  look();
  return (highest - baseline) / 1e6;
}
