import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Account } from '../accounts/account.ts';
import type { StoredModel } from '../voice-models/stored-model.ts';
import type { PriceTable } from '../wallet/prices.ts';
import { checkSeed } from './check-seed.ts';
import { completeSeed } from './complete-seed.ts';

/** What the sandbox starts with. */
export interface Seed {
  readonly accounts: readonly Account[];
  readonly models: readonly StoredModel[];
  /** Invented: the interface names no price. */
  readonly prices: PriceTable;
}

const builtInPath = fileURLToPath(new URL('../../seed/default.json', import.meta.url));

/**
 * Reads the seed data: what is built in, and a file that adds to it. An entry of the file with a key or an id that is
 * built in takes its place.
 *
 * @throws Error naming the file and the entry when something in it is not what it should be
 */
export function loadSeed(file?: string): Seed {
  const builtIn = readSeed(builtInPath);
  if (file === undefined) return builtIn;
  const own = readSeed(file);
  const seed = {
    accounts: merge(builtIn.accounts, own.accounts, (account) => account.key),
    models: merge(builtIn.models, own.models, ({ model }) => model._id),
    prices: {
      ...builtIn.prices,
      ...own.prices,
      speech_per_byte: { ...builtIn.prices.speech_per_byte, ...own.prices.speech_per_byte },
    },
  };
  const users = seed.accounts.map((account) => account.user._id);
  const twice = users.find((user, index) => users.indexOf(user) !== index);
  if (twice !== undefined) throw new Error(`${file}: two accounts have the user ${JSON.stringify(twice)}.`);
  return seed;
}

function readSeed(path: string): Seed {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`The seed file ${path} cannot be read.`, { cause });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is not valid JSON.`, { cause });
  }
  try {
    const seed = completeSeed(value);
    checkSeed(seed);
    return seed;
  } catch (cause) {
    throw new Error(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function merge<Entry>(
  first: readonly Entry[],
  second: readonly Entry[],
  idOf: (entry: Entry) => string,
): readonly Entry[] {
  const byId = new Map(first.map((entry) => [idOf(entry), entry]));
  for (const entry of second) byId.set(idOf(entry), entry);
  return [...byId.values()];
}
