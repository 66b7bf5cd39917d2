import type { DatabaseSync } from 'node:sqlite';
import { Refusal } from '@speech-api/server';
import type {
  Decoded,
  ListModelsQuery,
  VoiceModel,
  VoiceModelQuality,
  VoiceModelSample,
  VoiceModelState,
} from '@speech-api/types';
import type { Account } from './seed.ts';
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

/** A voice model as it is kept. What follows from the clock or from an address is added when it is answered. */
export interface StoredModel {
  readonly model: VoiceModel;
  /** The language the title is written in, for the filter of the same name. */
  readonly title_language: string;
  /** Absent: it was trained when it came. */
  readonly training?: Training;
  readonly clips?: readonly StoredClip[];
  /** The name of an uploaded cover image in the file store. */
  readonly cover?: string;
}

/** The names of all files of a voice model. */
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

/** Plans a training. */
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

/** Inputs of an answer, besides the model. */
export interface Presentation {
  /** Unix time in milliseconds. */
  readonly now: number;
  /** The address of a kept file. */
  readonly fileUrl: (name: string) => string;
}

/** A voice model as it is answered now. */
export function presentModel(stored: StoredModel, { now, fileUrl }: Presentation): VoiceModel {
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

/** Null when nothing is known of the recordings but that they are audio: what was not measured is not made up. */
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

/** One page of a list. */
export interface ModelPage {
  readonly total: number;
  readonly items: readonly StoredModel[];
}

/** The voice models of everybody. */
export interface VoiceModelStore {
  find(id: string): StoredModel | undefined;
  /** Lists the models that a user can find: their own and public ones. */
  list(
    userId: string,
    query: Query & Required<Pick<Query, 'page_size' | 'page_number' | 'sort_by'>>,
  ): ModelPage;
  /** Keeps a model, in place of the one with the same id where there is one. */
  save(stored: StoredModel): void;
  remove(id: string): void;
  /** Adds a model of the seed data, unless it was added before and may have been changed or deleted since. */
  seed(stored: StoredModel): void;
  /** Counts one use of each of the models; ids of deleted ones are passed over. */
  countUse(ids: readonly string[]): void;
  /** The names of the files of all models. */
  files(): readonly string[];
  /** Forgets everything. */
  clear(): void;
}

/** Lists whose totals are kept. */
const mostTotals = 1000;

/** Keeps voice models in a database. */
export function createVoiceModelStore(database: DatabaseSync, transaction: Transaction): VoiceModelStore {
  const find = database.prepare('SELECT document FROM voice_models WHERE id = ?');
  // Most of many thousands of models may have no files: they are not read.
  const withFiles = database.prepare(
    `SELECT document FROM voice_models WHERE instr(document, '"file":') > 0 OR instr(document, '"cover":') > 0`,
  );
  const remove = database.prepare('DELETE FROM voice_models WHERE id = ?');
  const markSeeded = database.prepare('INSERT OR IGNORE INTO seeded_models (id) VALUES (?)');
  const save = database.prepare(
    'INSERT OR REPLACE INTO voice_models (id, author_id, visibility, title_folded, title_language, tags, languages, score, task_count, created_at, document) VALUES (:id, :author_id, :visibility, :title_folded, :title_language, :tags, :languages, :score, :task_count, :created_at, :document)',
  );

  /** Of lists since the last change: counting looks at every model, and a page at those on it. */
  const totals = new Map<string, number>();
  const totalOf = ({ where, values }: ListStatement): number => {
    const key = JSON.stringify([where, values]);
    let total = totals.get(key);
    if (total !== undefined) return total;
    const count = database.prepare(`SELECT count(*) AS total FROM voice_models WHERE ${where}`);
    total = Number(count.get(...values)?.total);
    if (totals.size === mostTotals) totals.clear();
    totals.set(key, total);
    return total;
  };

  const store: VoiceModelStore = {
    find: (id) => {
      const row = find.get(id);
      return row && read(row);
    },
    list(userId, query) {
      const statement = listQuery(userId, query);
      const { where, order, values } = statement;
      const rows = database
        .prepare(
          `SELECT document FROM voice_models WHERE id IN (SELECT id FROM voice_models WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?) ORDER BY ${order}`,
        )
        .all(...values, ...limitsOf(query));
      return { total: totalOf(statement), items: rows.map(read) };
    },
    save(stored) {
      totals.clear();
      save.run(rowOf(stored));
    },
    remove(id) {
      totals.clear();
      remove.run(id);
    },
    seed(stored) {
      transaction(() => {
        if (markSeeded.run(stored.model._id).changes > 0) store.save(stored);
      });
    },
    countUse(ids) {
      transaction(() => {
        for (const id of new Set(ids)) {
          const stored = store.find(id);
          if (stored === undefined) continue;
          store.save({ ...stored, model: { ...stored.model, task_count: stored.model.task_count + 1 } });
        }
      });
    },
    files: () => withFiles.all().map(read).flatMap(filesOf),
    clear() {
      totals.clear();
      database.exec('DELETE FROM voice_models; DELETE FROM seeded_models;');
    },
  };
  return store;
}

/** Page numbers may be as large as the caller likes; the database has integers of 64 bits. */
function limitsOf({ page_size, page_number }: { page_size: number; page_number: number }): [number, number] {
  return [page_size, Math.min((page_number - 1) * page_size, Number.MAX_SAFE_INTEGER)];
}

function read(row: Record<string, unknown>): StoredModel {
  return JSON.parse(String(row.document)) as StoredModel;
}

function rowOf(stored: StoredModel): Record<string, string | number> {
  const { model } = stored;
  return {
    id: model._id,
    author_id: model.author._id,
    visibility: model.visibility,
    title_folded: model.title.toLowerCase(),
    title_language: stored.title_language,
    tags: JSON.stringify(model.tags),
    languages: JSON.stringify(model.languages ?? []),
    // The interface does not say what a score is: here, how well liked a voice is.
    score: model.like_count + model.mark_count + model.shared_count,
    task_count: model.task_count,
    created_at: Date.parse(model.created_at),
    document: JSON.stringify(stored),
  };
}

/** The parts of a statement that selects from `voice_models`, and the values of its placeholders. */
export interface ListStatement {
  readonly where: string;
  readonly order: string;
  readonly values: readonly string[];
}

/** Each with the largest or latest first; models that are equal in it by their ids, so that pages do not overlap. */
const orders: Readonly<Record<NonNullable<ListModelsQuery['sort_by']>, string>> = {
  score: 'score DESC, id',
  task_count: 'task_count DESC, id',
  created_at: 'created_at DESC, id',
};

/** SQL statement for a user's list, with the filters of the query. */
export function listQuery(
  userId: string,
  query: ListModelsQuery & { readonly sort_by: keyof typeof orders },
): ListStatement {
  const conditions: string[] = [];
  const values: string[] = [];
  const add = (condition: string, ...given: readonly string[]): void => {
    conditions.push(condition);
    values.push(...given);
  };
  if (query.self === true) add('author_id = ?', userId);
  else add("(author_id = ? OR visibility = 'public')", userId);
  // The author filter is ignored when own models are asked for.
  if (query.author_id !== undefined && query.self !== true) add('author_id = ?', query.author_id);
  if (query.title) add('instr(title_folded, ?) > 0', query.title.toLowerCase());
  // Lists are one value each: a condition a tag would nest deeper than SQLite allows when somebody sends thousands.
  const tags = listOf(query.tag);
  if (tags.length > 0) {
    const missing = 'value NOT IN (SELECT value FROM json_each(voice_models.tags))';
    add(`NOT EXISTS (SELECT 1 FROM json_each(?) WHERE ${missing})`, JSON.stringify(tags));
  }
  const languages = listOf(query.language);
  if (languages.length > 0) {
    const wanted = 'value IN (SELECT value FROM json_each(?))';
    add(`EXISTS (SELECT 1 FROM json_each(languages) WHERE ${wanted})`, JSON.stringify(languages));
  }
  const titleLanguages = listOf(query.title_language);
  if (titleLanguages.length > 0) {
    add('title_language IN (SELECT value FROM json_each(?))', JSON.stringify(titleLanguages));
  }
  return { where: conditions.join(' AND '), order: orders[query.sort_by], values };
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat();
}

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
