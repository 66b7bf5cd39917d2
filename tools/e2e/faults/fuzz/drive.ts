import { setImmediate } from 'node:timers/promises';
import fc, { type Arbitrary } from 'fast-check';

const casesOfBatch = 50;
/** Drawn on a machine without time too. */
const fewestCases = 2;

/** Draws cases and runs one after the other until the time is over. @returns how many */
export async function drive<Case>(
  cases: Arbitrary<Case>,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
  run: (given: Case) => Promise<void>,
): Promise<number> {
  const until = Date.now() + seconds * 1000;
  let count = 0;
  for (;;) {
    for (const given of fc.sample(cases, { seed: seed + count, numRuns: casesOfBatch })) {
      if (count >= fewestCases && Date.now() >= until) return count;
      count += 1;
      await run(given);
    }
    // Without a network nothing else gives way to the event loop, and until then no weak reference lets go of anything.
    await setImmediate();
  }
}
