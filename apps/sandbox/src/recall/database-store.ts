import type { DatabaseSync } from 'node:sqlite';
import { MemoryRecallStore, type RecallDocument, type RecallStore } from './recall-store.ts';

/**
 * Keeps documents in a database beside memory, so that they are known again after a restart. They are looked up in
 * memory alone; what leaves memory leaves the database.
 */
export function createDatabaseRecallStore(database: DatabaseSync, maximumFrames?: number): RecallStore {
  const insert = database.prepare(
    'INSERT OR IGNORE INTO recall_documents (key, origin, text, words, language, frames) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM recall_documents WHERE key = ?');
  const all = database.prepare(
    'SELECT origin, text, words, language, frames FROM recall_documents ORDER BY id',
  );
  const memory = new MemoryRecallStore(maximumFrames, {
    onKept(key, { origin, text, words, language = null, frames }) {
      const bytes = new Uint8Array(frames.buffer, frames.byteOffset, frames.byteLength);
      insert.run(key, origin, text, JSON.stringify(words), language, bytes);
    },
    onDropped: (key) => void remove.run(key),
  });
  for (const row of all.all()) memory.add(documentOf(row));
  return {
    add: (document) => memory.add(document),
    lookup: (frames) => memory.lookup(frames),
    clear() {
      memory.clear();
      database.exec('DELETE FROM recall_documents');
    },
  };
}

function documentOf({ origin, text, words, language, frames }: Record<string, unknown>): RecallDocument {
  // A copy of its own: numbers of four bytes need an offset that four divides.
  const bytes = new Uint8Array(frames as Uint8Array);
  return {
    origin: origin === 'fixture' ? 'fixture' : 'echo',
    text: String(text),
    words: JSON.parse(String(words)) as RecallDocument['words'],
    language: typeof language === 'string' ? language : undefined,
    frames: new Uint32Array(bytes.buffer, 0, bytes.length >> 2),
  };
}
