import { Refusal } from '@speech-api/server';
import type { VoiceModel } from '@speech-api/types';
import type { Account } from '../accounts/account.ts';
import type { StoredModel } from './stored-model.ts';
import type { VoiceModelStore } from './voice-model-store.ts';

/** Whether a model is the account's own. */
export function isOwn(model: VoiceModel, account: Account): boolean {
  return model.author._id === account.user._id;
}

/** Own models and those that are not private. */
export function isReadable(model: VoiceModel, account: Account): boolean {
  return model.visibility !== 'private' || isOwn(model, account);
}

/**
 * The voice model of an id, for whoever may read it; by id also the unlisted ones.
 *
 * @throws Refusal `not-found`, or `forbidden` for a private one of somebody else
 */
export function findReadable(models: VoiceModelStore, account: Account, id: string): StoredModel {
  const found = models.find(id);
  if (!found) {
    const message = `There is no voice model ${JSON.stringify(id.slice(0, 100))}.`;
    throw new Refusal('not-found', { message });
  }
  if (!isReadable(found.model, account)) {
    throw new Refusal('forbidden', {
      message: `The voice model ${found.model._id} is private and not yours.`,
    });
  }
  return found;
}

/**
 * The voice model of an id, for its author.
 *
 * @throws Refusal `not-found`, or `forbidden` for one of somebody else
 */
export function findOwn(models: VoiceModelStore, account: Account, id: string): StoredModel {
  const found = findReadable(models, account, id);
  if (!isOwn(found.model, account)) {
    const message = `The voice model ${found.model._id} is not yours; only its author changes or deletes it.`;
    throw new Refusal('forbidden', { message });
  }
  return found;
}
