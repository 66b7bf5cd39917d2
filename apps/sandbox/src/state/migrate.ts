import type { DatabaseSync } from 'node:sqlite';
import { migrations } from './migrations/migrations.ts';
import { createTransaction } from './transaction.ts';

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
