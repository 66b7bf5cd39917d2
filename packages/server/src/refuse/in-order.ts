import { type Refusal as RefusalEntry, refusals } from '@speech-api/types';

/** A check throws a `Refusal`, or lets the request pass. */
export type Check = () => void | Promise<void>;

/** Checks by the id of the refusal they may throw. */
export type Checks = Readonly<Record<string, Check | undefined>>;

/**
 * Makes checks in the order of the spec's refusal data, whatever order they are written in: two servers that use it
 * refuse alike.
 *
 * @param operationId asked before each check; a refusal that is not for this operation is skipped
 * @throws Error when a check has no entry in the data, since it would never be made
 */
export async function checkInOrder(
  checks: Checks,
  operationId: () => string | undefined,
  order: readonly RefusalEntry[] = refusals,
): Promise<void> {
  for (const id of Object.keys(checks)) {
    if (!order.some((entry) => entry.id === id)) throw new Error(`The spec has no refusal ${id}.`);
  }
  for (const entry of order) {
    const operation = operationId();
    if (operation !== undefined && entry.applies_to?.includes(operation) === false) continue;
    await checks[entry.id]?.();
  }
}
