import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { VoiceModel } from '@speech-api/types';
import { createValidator } from '@speech-api/wire';
import type { Account } from '../accounts/account.ts';

/** A voice model of the seed data, with what the service keeps beside it. */
export interface SeededModel {
  readonly model: VoiceModel;
  /** The language the title is written in, for the filter of the same name. */
  readonly title_language: string;
}

/** What the sandbox starts with. */
export interface Seed {
  readonly accounts: readonly Account[];
  readonly models: readonly SeededModel[];
}

const builtIn = fileURLToPath(new URL('../../seed/default.json', import.meta.url));

/**
 * Reads the seed data.
 *
 * @param folder one with a `seed.json` of the same shape as the built-in file, which it then replaces
 * @throws Error naming the file and the entry when something in it is not what the spec says
 */
export function loadSeed(folder?: string): Seed {
  const own = folder === undefined ? undefined : readIfThere(join(folder, 'seed.json'));
  const file = own ?? { path: builtIn, text: readFileSync(builtIn, 'utf8') };
  let seed: Seed;
  try {
    seed = JSON.parse(file.text) as Seed;
  } catch (cause) {
    throw new Error(`${file.path} is not valid JSON.`, { cause });
  }
  checkSeed(seed, file.path);
  return seed;
}

function readIfThere(path: string): { readonly path: string; readonly text: string } | undefined {
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read.`, { cause });
  }
}

function checkSeed(seed: Seed, path: string): void {
  const validator = createValidator();
  const check = (component: string, value: unknown, where: string): void => {
    const validated = validator.validateComponent(component, value);
    if (!validated.valid) throw new Error(`${path}, ${where}: ${validated.errors[0]?.message}`);
  };
  if (!Array.isArray(seed.accounts) || !Array.isArray(seed.models)) {
    throw new Error(`${path} needs two arrays, accounts and models.`);
  }
  seed.accounts.forEach((account, index) => {
    const where = `accounts[${index}]`;
    if (typeof account.key !== 'string' || !Number.isInteger(account.concurrency)) {
      throw new Error(`${path}, ${where}: key (a string) and concurrency (an integer) are required.`);
    }
    check('VoiceModelAuthor', account.user, `${where}.user`);
    check('ApiCredit', account.api_credit, `${where}.api_credit`);
    check('Package', account.package, `${where}.package`);
  });
  seed.models.forEach((entry, index) => {
    check('VoiceModel', entry.model, `models[${index}].model`);
  });
}
