import type { Account } from '../accounts/account.ts';
import { languageOfText } from '../voice-models/language-of-text.ts';
import type { StoredModel } from '../voice-models/stored-model.ts';
import type { PriceTable } from '../wallet/prices.ts';
import { listAt, objectAt, type SeedObject } from './read-entry.ts';
import type { Seed } from './seed.ts';

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
