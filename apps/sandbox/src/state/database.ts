import { DatabaseSync } from 'node:sqlite';

/**
 * Opens a database and brings it to the version of this program.
 *
 * @param path a file, made when it is not there, or `:memory:`
 * @throws Error when another sandbox has it open, or it is of a later version
 */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    // One process alone: reserves of credit are counted in its memory. The lock goes with the process, however it ends.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;');
    // FULL: what was committed survives a power cut too, for a third of a millisecond a write.
    database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    migrate(database);
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

/**
 * Brings a database to the version of this program, each step whole or not at all.
 *
 * @throws Error when the database is of a later version: an older program would not know what it destroys
 */
export function migrate(database: DatabaseSync, steps: readonly string[] = migrations): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > steps.length) {
    throw new Error(
      `The data folder was written by a later version of the sandbox (its format is ${version}, this one knows ` +
        `${steps.length}). Update the sandbox, or choose another folder with --data.`,
    );
  }
  const transaction = createTransaction(database);
  steps.slice(version).forEach((step, index) => {
    transaction(() => {
      database.exec(step);
      database.exec(`PRAGMA user_version = ${version + index + 1}`);
    });
  });
}

/**
 * Voice models. What the service answers is the document; the other columns are for filtering and sorting lists.
 * `seeded_models` remembers which models of the seed data have been put in, so that a deleted one does not come back.
 */
const voiceModels = `
  CREATE TABLE voice_models (
    id TEXT PRIMARY KEY,
    author_id TEXT NOT NULL,
    visibility TEXT NOT NULL,
    title_folded TEXT NOT NULL,
    title_language TEXT NOT NULL,
    tags TEXT NOT NULL,
    languages TEXT NOT NULL,
    score INTEGER NOT NULL,
    task_count INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    document TEXT NOT NULL
  ) STRICT;
  CREATE INDEX voice_models_by_author ON voice_models (author_id);
  CREATE TABLE seeded_models (id TEXT PRIMARY KEY) STRICT;
`;

/** Credit in billionths, and each charge that was taken from it. */
const wallets = `
  CREATE TABLE wallets (
    user_id TEXT PRIMARY KEY,
    credit INTEGER NOT NULL CHECK (credit >= 0),
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE charges (
    id INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES wallets (user_id),
    amount INTEGER NOT NULL CHECK (amount > 0),
    operation TEXT NOT NULL,
    charged_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX charges_by_user ON charges (user_id);
`;

/**
 * Speech recognised by its sound: texts with the times of their words and the fingerprint of the sound,
 * oldest first.
 */
const recall = `
  CREATE TABLE recall_documents (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    origin TEXT NOT NULL,
    text TEXT NOT NULL,
    words TEXT NOT NULL,
    language TEXT,
    frames BLOB NOT NULL
  ) STRICT;
`;

/** Pages of many voice models without reading the models that are on other pages. */
const pages = `
  CREATE INDEX voice_models_by_score ON voice_models (score DESC, id, author_id, visibility);
  CREATE INDEX voice_models_by_task_count ON voice_models (task_count DESC, id, author_id, visibility);
  CREATE INDEX voice_models_by_created_at ON voice_models (created_at DESC, id, author_id, visibility);
`;

/** Each brings a database one version further. What was released is never changed: add the next one. */
export const migrations: readonly string[] = [voiceModels, wallets, recall, pages];
