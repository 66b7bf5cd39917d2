import { createValidator } from '@speech-api/server';
import { readBearerKey } from '../accounts/key.ts';
import { readAmount } from '../wallet/amount.ts';
import type { PriceTable } from '../wallet/prices.ts';
import type { Seed } from './seed.ts';

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
  if (typeof speech !== 'object' || speech === null) {
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
