import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createValidator, isObject, readBearerKey, type Schema } from '@speech-api/server';
import type { ApiCredit, Package, VoiceModelAuthor } from '@speech-api/types';
import { languageOfText } from './speech/text/characters.ts';
import type { StoredModel } from './voice-models.ts';
import { type PriceTable, readAmount } from './wallet.ts';

/** Owner of a key. The remaining credit, which changes with use, is in the state. */
export interface Account {
  readonly key: string;
  /** The user as the author of voice models; `_id` is the user id of the wallet paths. */
  readonly user: VoiceModelAuthor;
  readonly concurrency: number;
  /** Only for keys that exist to show one refusal. */
  readonly always?: 'busy' | 'forbidden';
  /** The account starts with this credit. */
  readonly api_credit: ApiCredit;
  readonly package: Package;
}

/** The keys of the built-in seed data, and what each is for. */
export const wellKnownKeys = {
  'sandbox-key': 'works, with credit',
  'sandbox-empty': 'has no credit: 402',
  'sandbox-busy': 'is always at its concurrency limit: 429',
  'sandbox-forbidden': 'may do nothing: 403',
} as const;

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
 * @throws Error naming the file and the entry for an invalid value
 */
export function loadSeed(file?: string): Seed {
  // A test checks it.
  const builtIn = complete(readJson(builtInPath)) as Seed;
  if (file === undefined) return builtIn;
  const ownSeed = readSeed(file);
  const seed = {
    accounts: merge(builtIn.accounts, ownSeed.accounts, (account) => account.key),
    models: merge(builtIn.models, ownSeed.models, ({ model }) => model._id),
    prices: {
      ...builtIn.prices,
      ...ownSeed.prices,
      speech_per_byte: { ...builtIn.prices.speech_per_byte, ...ownSeed.prices.speech_per_byte },
    },
  };
  const users = seed.accounts.map((account) => account.user._id);
  const twice = users.find((user, index) => users.indexOf(user) !== index);
  if (twice !== undefined) throw new Error(`${file}: two accounts have the user ${JSON.stringify(twice)}.`);
  return seed;
}

function readSeed(path: string): Seed {
  const value = readJson(path);
  try {
    return checked(complete(value));
  } catch (cause) {
    throw new Error(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`The seed file ${path} cannot be read.`, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is not valid JSON.`, { cause });
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

/** The time used for entries of a seed file that have none. */
const seededAt = '2026-01-05T08:00:00Z';
const packageEndsAt = '2027-01-05T08:00:00Z';

const accountDefaults = { concurrency: 50, credit: '100.00', packageTotal: 100_000 };

type Fields = Readonly<Record<string, unknown>>;

/** Fills in omitted fields of a seed file. Values of another form are left for the schema to refuse. */
function complete(value: unknown): unknown {
  return filled(value, ({ accounts = [], models = [], prices = {}, ...others }) => ({
    accounts: Array.isArray(accounts) ? accounts.map((entry) => filled(entry, completeAccount)) : accounts,
    models: Array.isArray(models) ? models.map((entry) => filled(entry, completeModel)) : models,
    prices,
    ...others,
  }));
}

function filled(value: unknown, fill: (fields: Fields) => Fields): unknown {
  return isObject(value) ? fill(value) : value;
}

function completeAccount(fields: Fields): Fields {
  const id = String(isObject(fields.user) ? fields.user._id : undefined);
  const times = { created_at: seededAt, updated_at: seededAt };
  return {
    concurrency: accountDefaults.concurrency,
    ...fields,
    user: filled(fields.user, (user) => ({ nickname: id, avatar: '', ...user })),
    api_credit: filled(fields.api_credit ?? {}, (credit) => ({
      _id: `credit-${id}`,
      user_id: id,
      credit: accountDefaults.credit,
      ...times,
      has_phone_sha256: false,
      has_free_credit: false,
      ...credit,
    })),
    package: filled(fields.package ?? {}, (owned) => ({
      user_id: id,
      type: 'sandbox',
      total: accountDefaults.packageTotal,
      balance: accountDefaults.packageTotal,
      ...times,
      finished_at: packageEndsAt,
      ...owned,
    })),
  };
}

function completeModel(fields: Fields): Fields {
  const title = isObject(fields.model) ? String(fields.model.title) : '';
  return {
    title_language: languageOfText(title) ?? '',
    ...fields,
    model: filled(fields.model, (model) => ({
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
    })),
  };
}

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const closed = (required: Record<string, Schema>, optional: Record<string, Schema> = {}) => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
});
const string = { type: 'string' };

/** Seed data whose blanks are filled in. */
const seedSchema = closed({
  accounts: {
    type: 'array',
    items: closed(
      {
        key: string,
        user: component('VoiceModelAuthor'),
        concurrency: { type: 'integer', minimum: 1 },
        api_credit: component('ApiCredit'),
        package: component('Package'),
      },
      { always: { enum: ['busy', 'forbidden'] } },
    ),
  },
  models: {
    type: 'array',
    items: closed({ model: component('VoiceModel'), title_language: string }),
  },
  // Omitted prices are the built-in ones.
  prices: closed(
    {},
    {
      speech_per_byte: { type: 'object', additionalProperties: string },
      transcription_per_second: string,
    },
  ),
});

/**
 * Checks seed data against the spec and against itself.
 *
 * @throws Error naming the entry
 */
function checked(value: unknown): Seed {
  const [error] = createValidator().validate(seedSchema, value, 'json');
  if (error) throw new Error(error.message);
  const { accounts, models, prices } = value as Seed;
  const { speech_per_byte: speech, transcription_per_second: transcription } = prices as Partial<PriceTable>;
  for (const [index, { key, api_credit: credit }] of accounts.entries()) {
    if (readBearerKey(`Bearer ${key}`) !== key) {
      throw new Error(`accounts[${index}].key cannot be sent in a Bearer header.`);
    }
    checkAmount(credit.credit, `accounts[${index}].api_credit.credit`);
  }
  for (const [model, price] of Object.entries(speech ?? {}))
    checkAmount(price, `prices.speech_per_byte.${model}`);
  if (transcription !== undefined) checkAmount(transcription, 'prices.transcription_per_second');
  return { accounts, models, prices };
}

function checkAmount(value: string, where: string): void {
  try {
    readAmount(value);
  } catch (cause) {
    throw new Error(`${where}: ${(cause as Error).message}`, { cause });
  }
}
