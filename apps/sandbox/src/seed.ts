import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createValidator, readBearerKey } from '@speech-api/server';
import type { Account } from './accounts.ts';
import { isObject } from './values.ts';
import { languageOfText, type StoredModel } from './voice-models/voice-model.ts';
import { type PriceTable, readAmount } from './wallet.ts';

/** What the sandbox starts with. */
export interface Seed {
  readonly accounts: readonly Account[];
  readonly models: readonly StoredModel[];
  /** Invented: the interface names no price. */
  readonly prices: PriceTable;
}

const builtInPath = fileURLToPath(new URL('../seed/default.json', import.meta.url));

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

/** The time of whatever a seed file gives no time. */
const seededAt = '2026-01-05T08:00:00Z';
const packageEndsAt = '2027-01-05T08:00:00Z';

const accountDefaults = { concurrency: 50, credit: '100.00', packageTotal: 100_000 };

/**
 * Fills in what a seed file may leave out.
 *
 * @throws Error naming the entry that has another form, or a field that does not exist
 */
export function completeSeed(value: unknown): Seed {
  const seed = objectAt(value, 'the seed file', ['accounts', 'models', 'prices']);
  return {
    accounts: listAt(seed.accounts, 'accounts').map(completeAccount),
    models: listAt(seed.models, 'models').map(completeModel),
    prices: objectAt(seed.prices ?? {}, 'prices', [
      'speech_per_byte',
      'transcription_per_second',
    ]) as unknown as PriceTable,
  };
}

function completeAccount(value: unknown, index: number): Account {
  const where = `accounts[${index}]`;
  const known = ['key', 'user', 'concurrency', 'always', 'api_credit', 'package'];
  const given = objectAt(value, where, known);
  const user = objectAt(given.user, `${where}.user`);
  const id = String(user._id);
  const times = { created_at: seededAt, updated_at: seededAt };
  return {
    concurrency: accountDefaults.concurrency,
    ...given,
    user: { nickname: id, avatar: '', ...user },
    api_credit: {
      _id: `credit-${id}`,
      user_id: id,
      credit: accountDefaults.credit,
      ...times,
      has_phone_sha256: false,
      has_free_credit: false,
      ...objectAt(given.api_credit ?? {}, `${where}.api_credit`),
    },
    package: {
      user_id: id,
      type: 'sandbox',
      total: accountDefaults.packageTotal,
      balance: accountDefaults.packageTotal,
      ...times,
      finished_at: packageEndsAt,
      ...objectAt(given.package ?? {}, `${where}.package`),
    },
  } as unknown as Account;
}

function completeModel(value: unknown, index: number): StoredModel {
  const where = `models[${index}]`;
  const given = objectAt(value, where, ['model', 'title_language']);
  const model: SeedObject = objectAt(given.model, `${where}.model`);
  return {
    title_language: given.title_language ?? languageOfText(String(model.title)) ?? '',
    model: {
      type: 'tts',
      state: 'trained',
      tags: [],
      created_at: seededAt,
      updated_at: seededAt,
      visibility: 'public',
      like_count: 0,
      mark_count: 0,
      shared_count: 0,
      task_count: 0,
      ...model,
    },
  } as unknown as StoredModel;
}

/**
 * Checks seed data against the spec and against itself.
 *
 * @throws Error naming the entry
 */
export function checkSeed(seed: Seed): void {
  const validator = createValidator();
  const check = (component: string, value: unknown, where: string): void => {
    const validated = validator.validateComponent(component, value);
    if (!validated.valid) throw new Error(`${where}: ${validated.errors[0]?.message}`);
  };
  seed.accounts.forEach((account, index) => {
    const where = `accounts[${index}]`;
    if (typeof account.key !== 'string' || readBearerKey(`Bearer ${account.key}`) !== account.key) {
      throw new Error(`${where}.key must be a string that a Bearer header can carry.`);
    }
    if (!Number.isInteger(account.concurrency) || account.concurrency < 1) {
      throw new Error(`${where}.concurrency must be an integer of at least 1.`);
    }
    if (!([undefined, 'busy', 'forbidden'] as const).includes(account.always)) {
      throw new Error(`${where}.always must be busy or forbidden, where it is given.`);
    }
    check('VoiceModelAuthor', account.user, `${where}.user`);
    check('ApiCredit', account.api_credit, `${where}.api_credit`);
    check('Package', account.package, `${where}.package`);
    checkAmount(account.api_credit.credit, `${where}.api_credit.credit`);
  });
  seed.models.forEach((entry, index) => {
    check('VoiceModel', entry.model, `models[${index}].model`);
    if (typeof entry.title_language !== 'string') {
      throw new Error(`models[${index}].title_language must be a string.`);
    }
  });
  checkUnique(
    seed.accounts.map((account) => account.key),
    'accounts',
    'key',
  );
  checkUnique(
    seed.accounts.map((account) => account.user._id),
    'accounts',
    'user',
  );
  checkUnique(
    seed.models.map(({ model }) => model._id),
    'models',
    'id',
  );
  checkPrices(seed.prices);
}

/** What is left out is the built-in price. */
function checkPrices(prices: Partial<PriceTable>): void {
  const { speech_per_byte: speech, transcription_per_second: transcription } = prices;
  if (transcription !== undefined) checkAmount(transcription, 'prices.transcription_per_second');
  if (speech === undefined) return;
  if (!isObject(speech)) {
    throw new Error('prices.speech_per_byte must be an object of prices by model.');
  }
  for (const [model, price] of Object.entries(speech)) checkAmount(price, `prices.speech_per_byte.${model}`);
}

function checkAmount(value: unknown, where: string): void {
  try {
    if (typeof value !== 'string') throw new RangeError(`${JSON.stringify(value)} is not a string.`);
    readAmount(value);
  } catch (cause) {
    throw new Error(`${where}: ${(cause as Error).message}`, { cause });
  }
}

function checkUnique(ids: readonly string[], list: string, what: string): void {
  const index = ids.findIndex((id, place) => ids.indexOf(id) !== place);
  if (index >= 0) {
    throw new Error(`${list}[${index}]: the ${what} ${JSON.stringify(ids[index])} is there already.`);
  }
}

/** An object of a seed file, before anything is known of its fields. */
export type SeedObject = Readonly<Record<string, unknown>>;

/**
 * An object of a seed file.
 *
 * @param known the fields it may have; any when left out
 * @throws Error naming the place
 */
export function objectAt(value: unknown, where: string, known?: readonly string[]): SeedObject {
  if (!isObject(value)) {
    throw new Error(`${where} must be an object.`);
  }
  const unknown = known && Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`${where} has the unknown field \`${unknown}\`; it may have ${known?.join(', ')}.`);
  }
  return value;
}

/**
 * A list of a seed file; one that is left out is empty.
 *
 * @throws Error naming the place
 */
export function listAt(value: unknown, where: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`${where} must be an array.`);
  return value;
}
