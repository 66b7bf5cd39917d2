import { DatabaseSync } from 'node:sqlite';
import { migrate } from './migrate.ts';

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
    throw isLocked(cause)
      ? new Error('Another sandbox uses the data folder. Stop it, or choose another folder with --data.', {
          cause,
        })
      : cause;
  }
}

/** SQLITE_BUSY. */
const busy = 5;

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}
