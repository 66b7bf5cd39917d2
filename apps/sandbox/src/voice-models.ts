import type { DatabaseSync } from 'node:sqlite';
import { Refusal } from '@speech-api/server';
import type {
  Decoded,
  ListModelsQuery,
  VoiceModel,
  VoiceModelAuthor,
  VoiceModelQuality,
  VoiceModelSample,
  VoiceModelState,
} from '@speech-api/types';
import type { Transaction } from './state/database.ts';
import type { ClipFacts } from './uploads/uploads.ts';

/** A recording that a voice was made from. */
export interface StoredClip {
  /** As its sender named it. */
  readonly title: string;
  /** Text spoken in it; empty if it is unknown. */
  readonly text: string;
  readonly task_id: string;
  /** Its name in the file store. */
  readonly file: string;
  readonly facts: ClipFacts;
}

/** A voice model as it is stored. Times and addresses are added when it is answered. */
export interface StoredModel {
  readonly model: VoiceModel;
  /** The language the title is written in, for the filter of the same name. */
  readonly title_language: string;
  /** Undefined if the model was trained immediately. */
  readonly training?: Training;
  readonly clips?: readonly StoredClip[];
  /** The name of an uploaded cover image in the file store. */
  readonly cover?: string;
}

/** The account that a voice model belongs to, or that asks for it. */
interface Owner {
  readonly user: VoiceModelAuthor;
}

export function filesOf({ clips = [], cover }: StoredModel): readonly string[] {
  return [...clips.map((clip) => clip.file), ...(cover === undefined ? [] : [cover])];
}

/**
 * Training of a voice model. Its state follows from the clock alone, so it continues while the sandbox is not
 * running. Unix times in milliseconds.
 */
export interface Training {
  readonly starts_at: number;
  readonly ends_at: number;
  readonly outcome: Extract<VoiceModelState, 'trained' | 'failed'>;
}

/** Share of the whole time that a voice model waits before its training starts. */
const waitingShare = 0.25;

export function planTraining(
  createdAt: number,
  milliseconds: number,
  outcome: Training['outcome'],
): Training {
  return {
    starts_at: createdAt + Math.round(milliseconds * waitingShare),
    ends_at: createdAt + milliseconds,
    outcome,
  };
}

/** The state of a voice model at a time, and since when it holds: `created`, then `training`, then `trained` or `failed`. */
export function stateOf(
  { model, training }: StoredModel,
  now: number,
): { readonly state: VoiceModel['state']; readonly since: number } {
  const createdAt = Date.parse(model.created_at);
  if (training === undefined) return { state: model.state, since: createdAt };
  if (now >= training.ends_at) return { state: training.outcome, since: training.ends_at };
  if (now >= training.starts_at) return { state: 'training', since: training.starts_at };
  return { state: 'created', since: createdAt };
}

export function presentModel(
  stored: StoredModel,
  now: number,
  fileUrl: (name: string) => string,
): VoiceModel {
  const { model, clips = [], cover } = stored;
  const { state, since } = stateOf(stored, now);
  return {
    ...model,
    state,
    ...(since > Date.parse(model.updated_at) && { updated_at: new Date(since).toISOString() }),
    ...(cover === undefined ? {} : { cover_image: fileUrl(cover) }),
    ...(clips.length > 0 && {
      samples: [...(model.samples ?? []), ...clips.map((clip) => sampleOf(clip, fileUrl))],
      quality: qualityOf(clips, model.created_at),
    }),
  };
}

function sampleOf(
  { title, text, task_id, file }: StoredClip,
  fileUrl: (name: string) => string,
): VoiceModelSample {
  return { title, text, task_id, audio: fileUrl(file) };
}

/** Null if only the format of the recordings is known: unmeasured values are not invented. */
function qualityOf(clips: readonly StoredClip[], judgedAt: string): VoiceModelQuality | null {
  if (!clips.some(({ facts }) => facts.problem !== undefined || facts.seconds !== undefined)) return null;
  const audios = clips.map(({ title, facts }) => ({
    filename: title,
    ...(facts.seconds === undefined ? {} : { duration_ms: Math.round(facts.seconds * 1000) }),
    language: 'unknown',
    quality: facts.speechSeconds === undefined ? {} : { speech_seconds: facts.speechSeconds },
    quality_passed: facts.problem === undefined,
    quality_reason: facts.problem ?? '',
  }));
  return { created_at: judgedAt, updated_at: judgedAt, audios };
}

type Query = Decoded<ListModelsQuery>;
type PageQuery = Query & Required<Pick<Query, 'page_size' | 'page_number' | 'sort_by'>>;

export type VoiceModelStore = ReturnType<typeof createVoiceModelStore>;

/** Keeps voice models in a database, which is read at the start, and answers from memory. */
export function createVoiceModelStore(database: DatabaseSync, transaction: Transaction) {
  const all = database.prepare('SELECT document FROM voice_models');
  const save = database.prepare('INSERT OR REPLACE INTO voice_models (id, document) VALUES (?, ?)');
  const remove = database.prepare('DELETE FROM voice_models WHERE id = ?');
  const markSeeded = database.prepare('INSERT OR IGNORE INTO seeded_models (id) VALUES (?)');
  const models = new Map<string, StoredModel>();

  const store = {
    find: (id: string): StoredModel | undefined => models.get(id),
    /** Lists the models that a user can find: their own and public ones. */
    list(userId: string, query: PageQuery) {
      const listed = [...models.values()].filter((stored) => isListed(stored, userId, query));
      const order = orders[query.sort_by];
      listed.sort(
        (left, right) => order(right.model) - order(left.model) || (idOf(left) < idOf(right) ? -1 : 1),
      );
      const start = (query.page_number - 1) * query.page_size;
      return { total: listed.length, items: listed.slice(start, start + query.page_size) };
    },
    /** Stores a model, replacing the one with the same id. */
    save(stored: StoredModel): void {
      save.run(idOf(stored), JSON.stringify(stored));
      models.set(idOf(stored), stored);
    },
    remove(id: string): void {
      remove.run(id);
      models.delete(id);
    },
    /** Adds a model of the seed data, unless it was added before and may have been changed or deleted since. */
    seed(stored: StoredModel): void {
      transaction(() => {
        if (markSeeded.run(idOf(stored)).changes > 0) store.save(stored);
      });
    },
    /** Counts one use of each of the models; ids of deleted ones are ignored. */
    countUse(ids: readonly string[]): void {
      transaction(() => {
        for (const id of new Set(ids)) {
          const stored = store.find(id);
          if (stored === undefined) continue;
          store.save({ ...stored, model: { ...stored.model, task_count: stored.model.task_count + 1 } });
        }
      });
    },
    /** The names of the files of all models. */
    files: (): readonly string[] => [...models.values()].flatMap(filesOf),
    clear(): void {
      database.exec('DELETE FROM voice_models; DELETE FROM seeded_models;');
      models.clear();
    },
    /** Reads the models again, after a transaction that was rolled back. */
    reload(): void {
      models.clear();
      for (const { document } of all.all()) {
        const stored = JSON.parse(String(document)) as StoredModel;
        models.set(idOf(stored), stored);
      }
    },
  };
  store.reload();
  return store;
}

function idOf({ model }: StoredModel): string {
  return model._id;
}

/** Each with the largest or latest first; models that are equal in it by their ids, so that pages do not overlap. */
const orders: Readonly<Record<NonNullable<Query['sort_by']>, (model: VoiceModel) => number>> = {
  // The interface does not say what a score is: here, how well liked a voice is.
  score: ({ like_count, mark_count, shared_count }) => like_count + mark_count + shared_count,
  task_count: ({ task_count }) => task_count,
  created_at: ({ created_at }) => Date.parse(created_at),
};

/** Whether a user can find a model by the filters of a query. */
function isListed({ model, title_language }: StoredModel, userId: string, query: Query): boolean {
  const isOwn = model.author._id === userId;
  if (!isOwn && (query.self === true || model.visibility !== 'public')) return false;
  // The author filter is ignored if only own models are requested.
  if (query.author_id !== undefined && query.self !== true && model.author._id !== query.author_id)
    return false;
  if (query.title && !model.title.toLowerCase().includes(query.title.toLowerCase())) return false;
  const { languages } = model;
  return (
    listOf(query.tag).every((tag) => model.tags.includes(tag)) &&
    isAmong(query.language, (language) => languages?.includes(language) === true) &&
    isAmong(query.title_language, (language) => language === title_language)
  );
}

function isAmong(
  values: string | readonly string[] | undefined,
  matches: (value: string) => boolean,
): boolean {
  const list = listOf(values);
  return list.length === 0 || list.some(matches);
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat();
}

export function isOwn(model: VoiceModel, account: Owner): boolean {
  return model.author._id === account.user._id;
}

/** Own models and those that are not private. */
export function isReadable(model: VoiceModel, account: Owner): boolean {
  return model.visibility !== 'private' || isOwn(model, account);
}

/**
 * The voice model of an id, for whoever may read it; by id also the unlisted ones.
 *
 * @throws Refusal `not-found`, or `forbidden` for a private one of somebody else
 */
export function findReadable(models: VoiceModelStore, account: Owner, id: string): StoredModel {
  const model = models.find(id);
  if (!model) {
    const message = `There is no voice model ${JSON.stringify(id.slice(0, 100))}.`;
    throw new Refusal('not-found', { message });
  }
  if (!isReadable(model.model, account)) {
    throw new Refusal('forbidden', {
      message: `The voice model ${model.model._id} is private and not yours.`,
    });
  }
  return model;
}

/**
 * The voice model of an id, for its author.
 *
 * @throws Refusal `not-found`, or `forbidden` for one of somebody else
 */
export function findOwn(models: VoiceModelStore, account: Owner, id: string): StoredModel {
  const model = findReadable(models, account, id);
  if (!isOwn(model.model, account)) {
    const message = `The voice model ${model.model._id} is not yours; only its author changes or deletes it.`;
    throw new Refusal('forbidden', { message });
  }
  return model;
}
