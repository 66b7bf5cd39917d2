import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RecallStore } from '../recall/recall-store.ts';
import type { Seed } from '../seed.ts';
import { createVoiceModelStore } from '../voice-models.ts';
import { createWalletStore, readAmount, readPrices } from '../wallet.ts';
import { createMemoryFiles, openFolder } from './files.ts';

/** Everything the sandbox knows. What a call has changed is on the disk when the call returns. */
export type State = Awaited<ReturnType<typeof openState>>;

export interface StateOptions {
  readonly seed: Seed;
  /** A folder, made when it is not there. @defaultValue state is in memory and gone when it is closed */
  readonly data?: string | undefined;
  /** Unix time in milliseconds. @defaultValue the clock of the system */
  readonly now?: (() => number) | undefined;
}

/**
 * Opens the state.
 *
 * Voice models and credit of the seed data are put in once; what has become of them since is state.
 *
 * @throws Error when the folder cannot be used, or another sandbox uses it
 */
export async function openState({ seed, data, now = Date.now }: StateOptions) {
  // Not before the check of the version of Node: an older one has no SQLite.
  const { createTransaction, openDatabase } = await import('./database.ts');
  if (data !== undefined) await makeFolder(data);
  const database = openDatabase(data === undefined ? ':memory:' : join(data, 'sandbox.db'));
  try {
    const transaction = createTransaction(database, () => models.reload());
    const models = createVoiceModelStore(database, transaction);
    const wallets = createWalletStore(database, { transaction, now });
    const files = data === undefined ? createMemoryFiles() : await openFolder(join(data, 'files'));
    const fill = (): void => {
      for (const entry of seed.models) models.seed(entry);
      for (const { user, api_credit: credit } of seed.accounts) {
        wallets.open(user._id, readAmount(credit.credit), Date.parse(credit.updated_at));
      }
    };
    transaction(fill);
    await files.sweep(new Set(models.files()));
    return {
      /** By key, from the seed data alone: keys and limits are settings. */
      accounts: new Map(seed.accounts.map((account) => [account.key, account])),
      prices: readPrices(seed.prices),
      models,
      wallets,
      files,
      /** Speech recognised by its sound; persistent if there is a folder. */
      recall: new RecallStore(data === undefined ? {} : { database }),
      now,
      /** Makes everything as the seed data has it. */
      async reset(): Promise<void> {
        const names = models.files();
        wallets.clear(() => {
          models.clear();
          fill();
        });
        await files.remove(names);
      },
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The data folder ${path} cannot be used (${reason}). Choose another with --data.`, {
      cause,
    });
  }
}
