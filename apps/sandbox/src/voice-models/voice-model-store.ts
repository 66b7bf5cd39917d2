import type { DatabaseSync } from 'node:sqlite';
import type { ListModelsQuery } from '@speech-api/types';
import type { Transaction } from '../state/transaction.ts';
import { listQuery } from './list-query.ts';
import type { StoredModel } from './stored-model.ts';

/** One page of a list. */
export interface ModelPage {
  readonly total: number;
  readonly items: readonly StoredModel[];
}

/** The voice models of everybody. */
export interface VoiceModelStore {
  find(id: string): StoredModel | undefined;
  /** What a user finds: their own models and public ones. */
  list(
    userId: string,
    query: Required<Pick<ListModelsQuery, 'page_size' | 'page_number' | 'sort_by'>> & ListModelsQuery,
  ): ModelPage;
  /** Keeps a model, in place of the one with the same id where there is one. */
  save(stored: StoredModel): void;
  remove(id: string): void;
  /** Adds a model of the seed data, unless it was added before and may have been changed or deleted since. */
  seed(stored: StoredModel): void;
  /** Counts one use of each of the models; ids of deleted ones are passed over. */
  countUse(ids: readonly string[]): void;
  all(): readonly StoredModel[];
  /** Forgets everything. */
  clear(): void;
}

/** Keeps voice models in a database. */
export function createVoiceModelStore(database: DatabaseSync, transaction: Transaction): VoiceModelStore {
  const find = database.prepare('SELECT document FROM voice_models WHERE id = ?');
  const all = database.prepare('SELECT document FROM voice_models ORDER BY id');
  const remove = database.prepare('DELETE FROM voice_models WHERE id = ?');
  const markSeeded = database.prepare('INSERT OR IGNORE INTO seeded_models (id) VALUES (?)');
  const save = database.prepare(
    'INSERT OR REPLACE INTO voice_models (id, author_id, visibility, title_folded, title_language, tags, languages, score, task_count, created_at, document) VALUES (:id, :author_id, :visibility, :title_folded, :title_language, :tags, :languages, :score, :task_count, :created_at, :document)',
  );

  const store: VoiceModelStore = {
    find: (id) => {
      const row = find.get(id);
      return row && read(row);
    },
    list(userId, query) {
      const { where, order, values } = listQuery(userId, query);
      const count = database
        .prepare(`SELECT count(*) AS total FROM voice_models WHERE ${where}`)
        .get(...values);
      const rows = database
        .prepare(`SELECT document FROM voice_models WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`)
        .all(...values, ...limitsOf(query));
      return { total: Number(count?.total), items: rows.map(read) };
    },
    save: (stored) => void save.run(rowOf(stored)),
    remove: (id) => void remove.run(id),
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
    all: () => all.all().map(read),
    clear: () => database.exec('DELETE FROM voice_models; DELETE FROM seeded_models;'),
  };
  return store;
}

/** Page numbers may be as large as the caller likes; the database has integers of 64 bits. */
function limitsOf({ page_size, page_number }: { page_size: number; page_number: number }): [number, number] {
  const size = Math.min(page_size, Number.MAX_SAFE_INTEGER);
  return [size, Math.min((page_number - 1) * size, Number.MAX_SAFE_INTEGER)];
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
