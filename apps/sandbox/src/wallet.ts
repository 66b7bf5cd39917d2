import type { DatabaseSync } from 'node:sqlite';
import { overloadHeaders, Refusal } from '@speech-api/server';
import type { Transaction } from './state/database.ts';

/** A sum of credit in billionths, so that every sum is exact. */
export type Amount = bigint;

const places = 9;
const scale = 10n ** BigInt(places);
/** Shown even when they are zero. */
const leastPlaces = 2;
/** Maximum that the database can hold: a signed integer of 64 bits. */
const largest = 2n ** 63n - 1n;

/**
 * Reads a decimal number, such as `12.345678`. It is never converted to a float.
 *
 * @throws RangeError if it is not a decimal number, is negative, finer than a billionth or too large to store
 */
export function readAmount(text: string): Amount {
  const [, whole, fraction = ''] = /^(\d{1,10})(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > places) {
    throw new RangeError(`${JSON.stringify(text)} is not a decimal number of at most ${places} places.`);
  }
  const amount = BigInt(whole) * scale + BigInt(fraction.padEnd(places, '0'));
  if (amount > largest) throw new RangeError(`${text} is more credit than can be kept.`);
  return amount;
}

/** Writes an amount as a decimal number, with two places or as many more as it needs. */
export function writeAmount(amount: Amount): string {
  const digits = String(amount % scale).padStart(places, '0');
  const needed = digits.replace(/0+$/, '').padEnd(leastPlaces, '0');
  return `${amount / scale}.${needed}`;
}

/** Prices in the seed data: decimal numbers in strings. Invented; the interface specifies no price. */
export interface PriceTable {
  /** One UTF-8 byte of text, by model; `default` for all others. */
  readonly speech_per_byte: Readonly<Record<string, string>> & { readonly default: string };
  /** One second of audio, begun ones counted whole. */
  readonly transcription_per_second: string;
}

/** @throws RangeError if a price is not a decimal number */
export function readPrices(table: PriceTable) {
  const byModel = new Map(
    Object.entries(table.speech_per_byte).map(([name, text]) => [name, readAmount(text)]),
  );
  const otherModels = readAmount(table.speech_per_byte.default);
  const second = readAmount(table.transcription_per_second);
  return {
    speech: (text: string, model: string): Amount =>
      BigInt(Buffer.byteLength(text)) * (byModel.get(model) ?? otherModels),
    transcription: (seconds: number): Amount => BigInt(Math.ceil(seconds)) * second,
  };
}

export interface WalletState {
  /** Available credit: the credit minus what is reserved. */
  readonly available: Amount;
  /** Unix time in milliseconds. */
  readonly updatedAt: number;
}

/** Credit that is set aside for a request under way. */
export interface Hold {
  /**
   * Reserves more, for the same charge.
   *
   * @throws Refusal as {@link WalletStore.hold}; what was reserved before stays so
   */
  grow(amount: Amount): void;
  /**
   * Takes what was produced out of the credit and gives the rest of the reserve back; on the disk when it returns.
   * Later calls do nothing, unless this one threw: then nothing has changed.
   *
   * @param charge at most what was reserved; more is cut to it
   * @param alongside what else is stored, with the charge or not at all
   */
  settle(charge: Amount, alongside?: () => void): void;
}

/** The credit of every user. */
export interface WalletStore {
  /** Gives a user their first credit; one who has a wallet keeps it as it is. */
  open(userId: string, credit: Amount, updatedAt: number): void;
  read(userId: string): WalletState;
  /**
   * Reserves credit. A reserve lives as long as the process: whatever was under way when it is killed costs nothing.
   *
   * @throws Refusal `credit-short` when there is less; `overloaded` when the disk takes no charge, which would cut the
   * answer at its end
   */
  hold(userId: string, amount: Amount): Hold;
  /**
   * Forgets everything, reserves too: settling them afterwards does nothing.
   *
   * @param alongside what else is changed; if it fails, nothing is forgotten
   */
  clear(alongside?: () => void): void;
}

interface WalletRow {
  readonly credit: bigint;
  readonly updated_at: bigint;
}

export function createWalletStore(
  database: DatabaseSync,
  options: { readonly transaction: Transaction; readonly now: () => number },
): WalletStore {
  const { transaction, now } = options;
  const holds = new Set<{ readonly userId: string; amount: Amount }>();
  const open = database.prepare(
    'INSERT OR IGNORE INTO wallets (user_id, credit, updated_at) VALUES (?, ?, ?)',
  );
  const read = database.prepare('SELECT credit, updated_at FROM wallets WHERE user_id = ?');
  const take = database.prepare('UPDATE wallets SET credit = credit - ?, updated_at = ? WHERE user_id = ?');
  read.setReadBigInts(true);

  const heldBy = (userId: string): Amount => {
    let sum = 0n;
    for (const hold of holds) if (hold.userId === userId) sum += hold.amount;
    return sum;
  };
  const readState = (userId: string): WalletState => {
    const row = read.get(userId) as unknown as WalletRow | undefined;
    if (row === undefined) throw new Error('A user has no wallet.');
    return { available: row.credit - heldBy(userId), updatedAt: Number(row.updated_at) };
  };
  const checkCredit = (userId: string, amount: Amount): void => {
    const { available } = readState(userId);
    if (available >= amount) return;
    const message = `The request costs ${writeAmount(amount)} and the account has ${writeAmount(available)} left.`;
    throw new Refusal('credit-short', { message });
  };
  /** Writes a charge and takes it back. SQLite writes nothing where a value only stays the same. */
  const checkDisk = (userId: string): void => {
    const { updatedAt } = readState(userId);
    try {
      transaction(() => {
        for (const amount of [-1n, 1n]) take.run(amount, updatedAt, userId);
      });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `The sandbox cannot write to its data folder (${reason}). Make room on its disk and try again.`;
      throw new Refusal('overloaded', { message, headers: overloadHeaders, cause });
    }
  };

  return {
    open: (userId, credit, updatedAt) => void open.run(userId, credit, updatedAt),
    read: readState,
    hold(userId, amount) {
      checkCredit(userId, amount);
      checkDisk(userId);
      const held = { userId, amount };
      holds.add(held);
      return {
        grow(more) {
          checkCredit(userId, more);
          held.amount += more;
        },
        settle(charge, alongside) {
          if (!holds.has(held)) return;
          const charged = lesser(charge, held.amount);
          if (charged > 0n || alongside !== undefined) {
            transaction(() => {
              alongside?.();
              if (charged > 0n) take.run(charged, now(), userId);
            });
          }
          // Only now: a charge that could not be written must not free its reserve.
          holds.delete(held);
        },
      };
    },
    clear(alongside) {
      transaction(() => {
        database.exec('DELETE FROM wallets');
        alongside?.();
      });
      holds.clear();
    },
  };
}

/** `Math.min` knows no bigint. */
function lesser(one: Amount, other: Amount): Amount {
  if (one < other) return one;
  return other;
}
