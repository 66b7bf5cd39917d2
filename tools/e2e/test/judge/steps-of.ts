import type { planFor } from '@speech-api/contract';

/** The names of all calls that a plan consists of, in their order; the first call of every run apart. */
export function stepsOf({ chosen }: ReturnType<typeof planFor>): string[] {
  return chosen.flatMap(({ steps }) => steps.map(({ name }) => name));
}
