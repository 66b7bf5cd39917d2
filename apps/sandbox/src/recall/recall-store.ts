import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { TimedWord } from '../speech/job.ts';
import { silentFrame } from './fingerprint.ts';

export interface RecallDocument {
  /** `echo`: this sandbox spoke it. `fixture`: a developer stated its words. */
  readonly origin: 'echo' | 'fixture';
  readonly text: string;
  /** The words with their times in seconds from the start of the document. */
  readonly words: readonly TimedWord[];
  /** ISO code, such as `en`. */
  readonly language: string | undefined;
  /** The fingerprint: 32 bits every 16 ms. */
  readonly frames: Uint32Array;
}

/** A frame of a document that resembles a requested frame. */
export interface FrameMatch {
  readonly asked: number;
  readonly document: RecallDocument;
  readonly frame: number;
}

/** Maximum number of stored frames: four and a half hours of sound. The oldest documents are dropped first. */
const mostFrames = 1_000_000;
/** Maximum number of places to follow for one frame; a frame that occurs more often says little. */
const mostPlaces = 64;

interface RecallStoreOptions {
  /** Persistent copy of the documents, which survives a restart. @defaultValue memory only */
  readonly database?: DatabaseSync;
  /** Frames kept. @defaultValue 1 000 000 */
  readonly most?: number;
}

/**
 * Store of the speech that the sandbox recognises by its sound. Frames are numbered in the order in which they came,
 * from 1 on, and kept in rings of typed arrays, 16 bytes per frame: chains lead from a frame to its places, newest first.
 */
export class RecallStore {
  readonly #most: number;
  readonly #rows: Rows | undefined;
  /** Documents by the number of their first frame, oldest first. */
  readonly #kept = new Map<number, { readonly document: RecallDocument; readonly key: string }>();
  readonly #keys = new Set<string>();
  readonly #frames: Uint32Array;
  /** Number of the first frame of its document. */
  readonly #starts: Uint32Array;
  /** Newest place of the frames of a bucket; 0 for none. */
  readonly #newest: Uint32Array;
  /** The previous place in the same bucket. */
  readonly #older: Uint32Array;
  /** Places below this number were dropped. */
  #oldest = 1;
  #next = 1;

  constructor({ database, most = mostFrames }: RecallStoreOptions = {}) {
    this.#most = most;
    this.#frames = new Uint32Array(most);
    this.#starts = new Uint32Array(most);
    this.#newest = new Uint32Array(most);
    this.#older = new Uint32Array(most);
    this.#rows = database && createRows(database);
    for (const document of this.#rows?.all() ?? []) this.add(document);
  }

  /** Stores a document once, however often it comes. */
  add(document: RecallDocument): void {
    const { frames } = document;
    const key = keyOf(document);
    if (frames.length === 0 || frames.length > this.#most) return;
    if (this.#keys.has(key)) return;
    this.#remember(document, key);
    this.#rows?.insert(key, document);
  }

  #remember(document: RecallDocument, key: string): void {
    const { frames } = document;
    this.#makeRoom(frames.length);
    const start = this.#next;
    this.#kept.set(start, { document, key });
    this.#keys.add(key);
    for (const frame of frames) {
      if (frame !== silentFrame) this.#index(frame, start);
      this.#next += 1;
    }
  }

  /** Finds frames that differ from the requested ones in at most one bit. Pass a few hundred at a time: the search blocks. */
  lookup(frames: Uint32Array): readonly FrameMatch[] {
    const matches: FrameMatch[] = [];
    frames.forEach((frame, index) => {
      if (frame === silentFrame) return;
      this.#collect(frame, index, matches);
      for (let bit = 0; bit < 32; bit += 1) this.#collect((frame ^ (1 << bit)) >>> 0, index, matches);
    });
    return matches;
  }

  clear(): void {
    this.#kept.clear();
    this.#keys.clear();
    this.#oldest = this.#next;
    this.#rows?.clear();
  }

  #makeRoom(frames: number): void {
    for (const [start, { document, key }] of this.#kept) {
      if (this.#next + frames - start <= this.#most) return;
      this.#oldest = start + document.frames.length;
      this.#kept.delete(start);
      this.#keys.delete(key);
      this.#rows?.remove(key);
    }
  }

  #index(frame: number, start: number): void {
    const slot = this.#next % this.#most;
    const bucket = this.#bucketOf(frame);
    this.#frames[slot] = frame;
    this.#starts[slot] = start;
    this.#older[slot] = this.#newest[bucket] ?? 0;
    this.#newest[bucket] = this.#next;
  }

  /** This is not a generator, because an hour of sound makes seven million calls. */
  #collect(frame: number, index: number, matches: FrameMatch[]): void {
    let place = this.#newest[this.#bucketOf(frame)] ?? 0;
    for (let followed = 0; place >= this.#oldest && followed < mostPlaces; ) {
      const slot = place % this.#most;
      if (this.#frames[slot] === frame) {
        const start = this.#starts[slot] ?? 0;
        const stored = this.#kept.get(start);
        if (stored) matches.push({ asked: index, document: stored.document, frame: place - start });
        followed += 1;
      }
      place = this.#older[slot] ?? 0;
    }
  }

  #bucketOf(frame: number): number {
    // Neighbouring frames share most bits: a multiplication spreads them.
    return (Math.imul(frame, 0x9e3779b1) >>> 0) % this.#most;
  }
}

function keyOf({ origin, text, frames }: RecallDocument): string {
  const hash = createHash('sha1').update(origin).update(text);
  return hash.update(new Uint8Array(frames.buffer, frames.byteOffset, frames.byteLength)).digest('base64');
}

type Rows = ReturnType<typeof createRows>;

function createRows(database: DatabaseSync) {
  const insert = database.prepare(
    'INSERT OR IGNORE INTO recall_documents (key, origin, text, words, language, frames) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM recall_documents WHERE key = ?');
  const all = database.prepare(
    'SELECT origin, text, words, language, frames FROM recall_documents ORDER BY id',
  );
  return {
    all: () => all.all().map(documentOf),
    insert(key: string, { origin, text, words, language, frames }: RecallDocument): void {
      const bytes = new Uint8Array(frames.buffer, frames.byteOffset, frames.byteLength);
      insert.run(key, origin, text, JSON.stringify(words), language ?? null, bytes);
    },
    remove: (key: string): void => void remove.run(key),
    clear: (): void => database.exec('DELETE FROM recall_documents'),
  };
}

function documentOf({ origin, text, words, language, frames }: Record<string, unknown>): RecallDocument {
  // The copy aligns the bytes: numbers of four bytes need an offset divisible by four.
  const bytes = new Uint8Array(frames as Uint8Array);
  return {
    origin: origin === 'fixture' ? 'fixture' : 'echo',
    text: String(text),
    words: JSON.parse(String(words)) as RecallDocument['words'],
    language: typeof language === 'string' ? language : undefined,
    frames: new Uint32Array(bytes.buffer, 0, bytes.length >> 2),
  };
}
