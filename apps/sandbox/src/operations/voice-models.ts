import {
  type ListModelsQuery,
  listModelsDefaults,
  type VoiceModel,
  type VoiceModelList,
} from '@speech-api/types';
import { Refusal } from '@speech-api/wire';
import type { Account } from '../accounts/account.ts';
import type { Seed, SeededModel } from '../seed/seed.ts';
import { sendJson } from '../server/send-json.ts';
import type { OperationHandler } from './context.ts';

/** `GET /model`: own and public voice models, filtered, sorted, a page at a time. */
export const listModels: OperationHandler = ({ call, account, response, seed }) => {
  sendJson(response, 200, listFor(seed, account, call.query as ListModelsQuery));
};

/** `GET /model/{id}`: by id also the unlisted ones. */
export const getModel: OperationHandler = ({ call, account, response, seed }) => {
  sendJson(response, 200, findReadable(seed, account, call.path.id ?? '').model);
};

/**
 * The voice model of an id, for whoever may read it.
 *
 * @throws Refusal `not-found`, or `forbidden` for a private one of somebody else
 */
export function findReadable(seed: Seed, account: Account, id: string): SeededModel {
  const found = seed.models.find(({ model }) => model._id === id);
  if (!found)
    throw new Refusal('not-found', {
      message: `There is no voice model ${JSON.stringify(id.slice(0, 100))}.`,
    });
  if (!isReadable(found.model, account)) {
    throw new Refusal('forbidden', {
      message: `The voice model ${found.model._id} is private and not yours.`,
    });
  }
  return found;
}

/** Own models and those that are not private. */
export function isReadable(model: VoiceModel, account: Account): boolean {
  return model.visibility !== 'private' || isOwn(model, account);
}

function isOwn(model: VoiceModel, account: Account): boolean {
  return model.author._id === account.user._id;
}

function listFor(seed: Seed, account: Account, given: ListModelsQuery): VoiceModelList {
  const query = { ...listModelsDefaults, ...given };
  const found = seed.models
    .filter(({ model }) => isOwn(model, account) || model.visibility === 'public')
    .filter(({ model }) => (query.self ? isOwn(model, account) : true))
    // Section 4.4: the author filter is ignored when own models are asked for.
    .filter(
      ({ model }) => query.self || query.author_id === undefined || model.author._id === query.author_id,
    )
    .filter(({ model }) => includesText(model.title, query.title ?? ''))
    .filter(({ model }) => listOf(query.tag).every((tag) => model.tags.includes(tag)))
    .filter(({ model }) => matchesAny(listOf(query.language), model.languages ?? []))
    .filter((entry) => matchesAny(listOf(query.title_language), [entry.title_language]))
    .map(({ model }) => model)
    .sort((one, other) => orders[query.sort_by](one, other));
  const start = (query.page_number - 1) * query.page_size;
  const items = found.slice(start, start + query.page_size);
  return { total: found.length, items, has_more: start + items.length < found.length && items.length > 0 };
}

type Order = (one: VoiceModel, other: VoiceModel) => number;

/** Each with the largest or latest first. The interface does not say what a score is: here, how well liked a voice is. */
const orders: Readonly<Record<NonNullable<ListModelsQuery['sort_by']>, Order>> = {
  score: (one, other) => scoreOf(other) - scoreOf(one),
  task_count: (one, other) => other.task_count - one.task_count,
  created_at: (one, other) => Date.parse(other.created_at) - Date.parse(one.created_at),
};

function scoreOf(model: VoiceModel): number {
  return model.like_count + model.mark_count + model.shared_count;
}

function includesText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

function matchesAny(wanted: readonly string[], has: readonly string[]): boolean {
  return wanted.length === 0 || wanted.some((each) => has.includes(each));
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat();
}
