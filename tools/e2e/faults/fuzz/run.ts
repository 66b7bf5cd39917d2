import { createRandom } from '../random.ts';
import { createChoices } from './choices.ts';
import { oddRequest } from './requests.ts';
import { type Outcome, sendBytes, sendRequest } from './send.ts';
import { oddHttp, oddSession } from './wire-bytes.ts';

/** How long and how hard. */
export interface FuzzOptions {
  readonly url: string;
  readonly seed: number;
  readonly seconds: number;
  /** How many cases are under way at once. */
  readonly callers: number;
  /** Stops early. */
  readonly goOn: () => boolean;
  /** Looks at what a case brought; throws when it must not be. */
  readonly check: (outcome: Outcome) => void;
}

/** What was done. */
export interface FuzzReport {
  readonly cases: number;
  /** How often which status came. */
  readonly statuses: ReadonlyMap<string, number>;
  /** What must not be, with how to see it again. */
  readonly failures: readonly string[];
}

const deadlineMilliseconds = 60_000;
const patienceMilliseconds = 700;

/** Sends one case after the other until the time is over. A case is what its seed and number make it. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const end = performance.now() + options.seconds * 1000;
  const statuses = new Map<string, number>();
  const failures: string[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < end && failures.length < 10 && options.goOn()) {
      const number = next;
      next += 1;
      try {
        const outcome = await runCase(options, number);
        const status = String(outcome.status ?? 'none');
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      } catch (error) {
        failures.push(`FUZZ_SEED=${options.seed} FUZZ_CASE=${number}: ${(error as Error).message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: options.callers }, caller));
  return { cases: next, statuses, failures };
}

/** Sends the case of one number. */
export async function runCase(
  { url, seed, check }: Pick<FuzzOptions, 'url' | 'seed' | 'check'>,
  number: number,
): Promise<Outcome> {
  const choices = createChoices(createRandom((seed * 1_000_003 + number) >>> 0));
  const kind = choices.number();
  const outcome =
    kind < 0.75
      ? await sendRequest(url, oddRequest(choices), deadlineMilliseconds)
      : await sendBytes(url, kind < 0.87 ? oddHttp(choices) : oddSession(choices), patienceMilliseconds);
  check(outcome);
  return outcome;
}
