import { DatabaseSync } from 'node:sqlite';

/**
 * Opens a database.
 *
 * @param path a file, made when it is not there, or `:memory:`
 * @throws Error when another sandbox has it open
 */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    // Only one process may open it: reserved credit is counted in memory. The lock ends with the process.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;');
    // With FULL, committed data survives a power cut; it costs a third of a millisecond per write.
    database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    database.exec(schema);
    return database;
  } catch (cause) {
    database.close();
    const code = cause instanceof Error && 'errcode' in cause ? cause.errcode : undefined;
    const advice = adviceOn(Number(code), path);
    throw advice === undefined ? cause : new Error(advice, { cause });
  }
}

/** Advice on an error of SQLite, by its code. */
function adviceOn(code: number, path: string): string | undefined {
  // SQLITE_BUSY
  if (code === 5)
    return 'Another sandbox uses the data folder. Stop it, or choose another folder with --data.';
  // SQLITE_CORRUPT and SQLITE_NOTADB
  if (code !== 11 && code !== 26) return undefined;
  return `The data file ${path} is damaged. Restore it from a backup, delete it to start again, or choose another folder with --data.`;
}

/** Runs work in a transaction; committed data is on the disk when the call returns. Nested work joins the transaction. */
export type Transaction = <Result>(work: () => Result) => Result;

/** @param onRollback called when work has failed and nothing of it is kept */
export function createTransaction(database: DatabaseSync, onRollback: () => void = () => {}): Transaction {
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
      onRollback();
      throw error;
    }
  };
}

/**
 * `seeded_models` remembers which models of the seed data have been put in, so that a deleted one does not come back.
 * Credit is in billionths. Speech is recalled by the fingerprint of its sound, the oldest first.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS voice_models (id TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS seeded_models (id TEXT PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS wallets (
    user_id TEXT PRIMARY KEY,
    credit INTEGER NOT NULL CHECK (credit >= 0),
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS recall_documents (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    origin TEXT NOT NULL,
    text TEXT NOT NULL,
    words TEXT NOT NULL,
    language TEXT,
    frames BLOB NOT NULL
  ) STRICT;
`;
