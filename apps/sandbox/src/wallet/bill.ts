import { Refusal } from '@speech-api/server';
import type { Account } from '../accounts/account.ts';
import type { State } from '../state/state.ts';
import { type Amount, writeAmount } from './amount.ts';

/** What a request is charged: reserved when it is accepted, settled on what was produced when it ends. */
export interface Bill {
  /** Notes something that was produced and its price. */
  add(amount: Amount): void;
  /** Settles on the whole of what was reserved, since everything was produced. Later settlements do nothing. */
  settleAll(): void;
  /** Settles on what was noted; the rest goes back. Does nothing when it is settled. */
  settle(): void;
}

/** What a bill is about. */
export interface BillSubject {
  readonly state: State;
  readonly account: Account;
  readonly operation: string;
  /** The price when everything is produced. */
  readonly amount: Amount;
  /** Voice models whose use counts when anything is produced. */
  readonly voices?: readonly string[];
}

/**
 * Reserves what a request may cost.
 *
 * @throws Refusal `credit-short` when the account has less than that
 */
export function openBill({ state, account, operation, amount, voices = [] }: BillSubject): Bill {
  const userId = account.user._id;
  const hold = state.wallets.hold(userId, amount, operation);
  if (hold === undefined) {
    const left = writeAmount(state.wallets.read(userId).available);
    const message = `The request costs ${writeAmount(amount)} and the account has ${left} left.`;
    throw new Refusal('credit-short', { message });
  }
  let produced = false;
  let noted = 0n;
  let settled = false;
  const close = (charge: Amount): void => {
    if (settled) return;
    settled = true;
    state.transaction(() => {
      if (produced) state.models.countUse(voices);
      hold.settle(charge);
    });
  };
  return {
    add(price) {
      produced = true;
      noted += price;
    },
    settleAll: () => close(amount),
    settle: () => close(noted),
  };
}
