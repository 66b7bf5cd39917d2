import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { silentFrame } from './fingerprint.ts';

/** A word and when it is heard, in seconds from the start of its document. */
export interface TimedWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Sound whose words are known. */
export interface RecallDocument {
  /** `echo`: this sandbox said it. `fixture`: a developer has told what is said in it. */
  readonly origin: 'echo' | 'fixture';
  readonly text: string;
  readonly words: readonly TimedWord[];
  /** ISO code, such as `en`. */
  readonly language: string | undefined;
  /** The fingerprint: 32 bits every 16 ms. */
  readonly frames: Uint32Array;
}

/** A frame of a document that looks like one that was asked for. */
export interface FrameMatch {
  /** Index of the frame that was asked for. */
  readonly asked: number;
  readonly document: RecallDocument;
  /** Index of the document's frame. */
  readonly frame: number;
}

/** Frames kept: four and a half hours of sound. The oldest documents leave first. */
const mostFrames = 1_000_000;
/** Places of one frame that are followed; a frame that occurs more often than this tells little. */
const mostPlaces = 64;
const firstCapacity = 1 << 14;
const none = -1;

interface Kept {
  readonly document: RecallDocument;
  readonly key: string;
  /** Number of its first frame among all frames ever kept. */
  readonly start: number;
}

interface RecallStoreOptions {
  /** Second place for the documents, to know them again after a restart. @defaultValue memory only */
  readonly database?: DatabaseSync;
  /** Frames kept. @defaultValue 1 000 000 */
  readonly most?: number;
}

/**
 * Store of the speech that the sandbox recognises by its sound. The index from frames to their places is made
 * of chains in typed arrays, 12 bytes per frame.
 */
export class RecallStore {
  readonly #most: number;
  readonly #rows: Rows | undefined;
  #kept: Kept[] = [];
  readonly #keys = new Set<string>();
  #index = new FrameIndex(firstCapacity);
  /** Frames of documents that have left are still in the index until it is built anew. */
  #next = 0;
  #live = 0;

  constructor({ database, most = mostFrames }: RecallStoreOptions = {}) {
    this.#most = most;
    this.#rows = database && createRows(database);
    for (const document of this.#rows?.all() ?? []) this.add(document);
  }

  /** Ignores a document that is already stored. */
  add(document: RecallDocument): void {
    const { frames } = document;
    const key = keyOf(document);
    if (frames.length > this.#most || this.#keys.has(key)) return;
    while (this.#live + frames.length > this.#most) this.#drop();
    if (this.#next + frames.length > this.#index.capacity) this.#rebuild(this.#live + frames.length);
    this.#keep(document, key);
    this.#rows?.insert(key, document);
  }

  /** Frames that differ in one bit at most from those asked for. Ask for a few hundred at a time: it blocks. */
  lookup(frames: Uint32Array): readonly FrameMatch[] {
    const matches: FrameMatch[] = [];
    frames.forEach((frame, asked) => {
      if (frame === silentFrame) return;
      this.#collect(frame, asked, matches);
      for (let bit = 0; bit < 32; bit += 1) this.#collect((frame ^ (1 << bit)) >>> 0, asked, matches);
    });
    return matches;
  }

  clear(): void {
    this.#kept = [];
    this.#keys.clear();
    this.#index = new FrameIndex(firstCapacity);
    this.#next = 0;
    this.#live = 0;
    this.#rows?.clear();
  }

  #collect(frame: number, asked: number, matches: FrameMatch[]): void {
    const oldest = this.#kept[0]?.start ?? 0;
    let followed = 0;
    // Chains go from the newest to the oldest. No generator: an hour of sound asks seven million times.
    for (let place = this.#index.newest(frame); place >= oldest; place = this.#index.older(place)) {
      const kept = this.#keptAt(place);
      if (kept) matches.push({ asked, document: kept.document, frame: place - kept.start });
      followed += 1;
      if (followed === mostPlaces) return;
    }
  }

  #keptAt(place: number): Kept | undefined {
    let low = 0;
    let high = this.#kept.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#kept[middle]?.start ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return this.#kept[low];
  }

  #keep(document: RecallDocument, key: string): void {
    this.#kept.push({ document, key, start: this.#next });
    this.#keys.add(key);
    for (const frame of document.frames) {
      if (frame !== silentFrame) this.#index.add(frame, this.#next);
      this.#next += 1;
    }
    this.#live += document.frames.length;
  }

  #drop(): void {
    const dropped = this.#kept.shift();
    if (!dropped) return;
    this.#keys.delete(dropped.key);
    this.#rows?.remove(dropped.key);
    this.#live -= dropped.document.frames.length;
  }

  /** Twice the room that is needed, so that it is seldom done. */
  #rebuild(frames: number): void {
    const kept = this.#kept;
    this.#index = new FrameIndex(Math.max(firstCapacity, 2 ** Math.ceil(Math.log2(2 * frames))));
    this.#kept = [];
    this.#keys.clear();
    this.#next = 0;
    this.#live = 0;
    for (const { document, key } of kept) this.#keep(document, key);
  }
}

/** From a frame to its places, newest first. */
class FrameIndex {
  readonly capacity: number;
  readonly #newest: Int32Array;
  readonly #older: Int32Array;
  readonly #frames: Uint32Array;

  /** @param capacity a power of two */
  constructor(capacity: number) {
    this.capacity = capacity;
    this.#newest = new Int32Array(capacity).fill(none);
    this.#older = new Int32Array(capacity);
    this.#frames = new Uint32Array(capacity);
  }

  add(frame: number, place: number): void {
    const bucket = this.#bucketOf(frame);
    this.#frames[place] = frame;
    this.#older[place] = this.#newest[bucket] ?? none;
    this.#newest[bucket] = place;
  }

  /** The newest place of a frame, or -1. */
  newest(frame: number): number {
    return this.#follow(this.#newest[this.#bucketOf(frame)] ?? none, frame);
  }

  /** The place before this one that has the same frame, or -1. */
  older(place: number): number {
    return this.#follow(this.#older[place] ?? none, this.#frames[place] ?? 0);
  }

  #follow(from: number, frame: number): number {
    let place = from;
    while (place !== none && this.#frames[place] !== frame) place = this.#older[place] ?? none;
    return place;
  }

  #bucketOf(frame: number): number {
    // Neighbouring frames share most bits: a multiplication spreads them.
    return (Math.imul(frame, 0x9e3779b1) >>> 0) & (this.capacity - 1);
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
