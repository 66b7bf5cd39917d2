import type { DatabaseSync } from 'node:sqlite';

/** Does work on a database whole or not at all; it is on the disk when the call returns. Work inside work joins it. */
export type Transaction = <Result>(work: () => Result) => Result;

export function createTransaction(database: DatabaseSync): Transaction {
  return (work) => {
    if (database.isTransaction) return work();
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      // A failed commit, such as on a full disk, may have ended the transaction already.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };
}
