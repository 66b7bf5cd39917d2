import type { DatabaseSync } from 'node:sqlite';
import type { Amount } from './amount.ts';

/** What a user has. */
export interface WalletState {
  /** What can still be spent: the credit without what is reserved. */
  readonly available: Amount;
  /** Unix time in milliseconds. */
  readonly updatedAt: number;
}

/** Credit that is set aside for a request under way. */
export interface Hold {
  /**
   * Takes what was produced out of the credit and gives the rest of the reserve back; on the disk when it returns.
   * Later calls do nothing.
   *
   * @param charge at most what was reserved; more is cut to it
   */
  settle(charge: Amount): void;
}

/** The credit of every user. */
export interface WalletStore {
  /** Gives a user their first credit; one who has a wallet keeps it as it is. */
  open(userId: string, credit: Amount, updatedAt: number): void;
  read(userId: string): WalletState;
  /**
   * Reserves credit, or answers `undefined` when there is less. A reserve lives as long as the process: whatever was
   * under way when it is killed costs nothing.
   */
  hold(userId: string, amount: Amount, operation: string): Hold | undefined;
  /** What was charged so far, oldest first. */
  charges(userId: string): readonly Amount[];
  /** Forgets everything, reserves too: settling them afterwards does nothing. */
  clear(): void;
}

interface WalletRow {
  readonly credit: bigint;
  readonly updated_at: bigint;
}

/** Keeps wallets in a database. */
export function createWalletStore(
  database: DatabaseSync,
  options: { readonly transaction: (work: () => void) => void; readonly now: () => number },
): WalletStore {
  const { transaction, now } = options;
  let holds = new Map<symbol, { readonly userId: string; readonly amount: Amount }>();
  const open = database.prepare(
    'INSERT OR IGNORE INTO wallets (user_id, credit, updated_at) VALUES (?, ?, ?)',
  );
  const read = database.prepare('SELECT credit, updated_at FROM wallets WHERE user_id = ?');
  const take = database.prepare('UPDATE wallets SET credit = credit - ?, updated_at = ? WHERE user_id = ?');
  const record = database.prepare(
    'INSERT INTO charges (user_id, amount, operation, charged_at) VALUES (?, ?, ?, ?)',
  );
  const recorded = database.prepare('SELECT amount FROM charges WHERE user_id = ? ORDER BY id');
  for (const statement of [read, recorded]) statement.setReadBigInts(true);

  const heldBy = (userId: string): Amount => {
    let sum = 0n;
    for (const hold of holds.values()) if (hold.userId === userId) sum += hold.amount;
    return sum;
  };
  const readState = (userId: string): WalletState => {
    const row = read.get(userId) as unknown as WalletRow | undefined;
    if (row === undefined) throw new Error('A user has no wallet.');
    return { available: row.credit - heldBy(userId), updatedAt: Number(row.updated_at) };
  };

  return {
    open: (userId, credit, updatedAt) => void open.run(userId, credit, updatedAt),
    read: readState,
    hold(userId, amount, operation) {
      if (readState(userId).available < amount) return undefined;
      const id = Symbol(operation);
      holds.set(id, { userId, amount });
      return {
        settle(charge) {
          if (!holds.has(id)) return;
          const charged = least(charge, amount);
          if (charged > 0n) {
            transaction(() => {
              const at = now();
              take.run(charged, at, userId);
              record.run(userId, charged, operation, at);
            });
          }
          // Only now: a charge that could not be written must not free its reserve.
          holds.delete(id);
        },
      };
    },
    charges: (userId) => recorded.all(userId).map((row) => (row as unknown as { amount: bigint }).amount),
    clear() {
      holds = new Map();
      database.exec('DELETE FROM charges; DELETE FROM wallets;');
    },
  };
}

function least(one: Amount, other: Amount): Amount {
  if (one < other) return one;
  return other;
}
