import { expect, test } from 'vitest';
import { openDatabase } from '../state/database.ts';
import { type RecallDocument, RecallStore } from './recall-store.ts';

function documentOf(seed: number, length = 100): RecallDocument {
  const frames = Uint32Array.from(
    { length },
    (_, index) => Math.imul(seed * 1000 + index + 1, 0x9e3779b1) >>> 0,
  );
  return { origin: 'echo', text: `text ${seed}`, words: [], language: 'en', frames };
}
const oneOf = (document: RecallDocument, index: number, flipped = 0): Uint32Array =>
  Uint32Array.of(((document.frames[index] ?? 0) ^ flipped) >>> 0);

test('finds a frame that is the same or differs in one bit, and none that differs in two', () => {
  const store = new RecallStore();
  const document = documentOf(1);
  store.add(document);
  const matches = [{ asked: 0, document, frame: 42 }];
  expect(store.lookup(oneOf(document, 42))).toEqual(matches);
  for (let bit = 0; bit < 32; bit += 1) expect(store.lookup(oneOf(document, 42, 1 << bit))).toEqual(matches);
  expect(store.lookup(oneOf(document, 42, 0b101))).toEqual([]);
});

test('forgets the oldest when it is full, and still finds the newest', () => {
  const store = new RecallStore({ most: 1000 });
  for (let seed = 1; seed <= 500; seed += 1) store.add(documentOf(seed));
  expect(store.lookup(oneOf(documentOf(490), 3))).toEqual([]);
  for (let seed = 491; seed <= 500; seed += 1) {
    expect(store.lookup(oneOf(documentOf(seed), 99)).map(({ frame }) => frame)).toEqual([99]);
  }
});

test('never finds silence, nor a frame that differs from it in one bit', () => {
  const store = new RecallStore();
  store.add({ ...documentOf(1), frames: Uint32Array.of(0, 1) });
  expect(store.lookup(Uint32Array.of(0, 2))).toEqual([]);
});

test('knows again what another store kept in the same database, and forgets there what is dropped or cleared', () => {
  const database = openDatabase(':memory:');
  const first = new RecallStore({ database, most: 250 });
  const words = [{ text: 'text', start: 0, end: 0.5 }];
  for (const seed of [1, 2, 3]) first.add({ ...documentOf(seed), words });
  expect(database.prepare('SELECT text FROM recall_documents').all()).toHaveLength(2);
  const again = new RecallStore({ database, most: 250 });
  expect(again.lookup(oneOf(documentOf(1), 7))).toEqual([]);
  expect(again.lookup(oneOf(documentOf(3), 7))).toEqual([
    { asked: 0, document: { ...documentOf(3), words }, frame: 7 },
  ]);
  again.clear();
  expect(new RecallStore({ database, most: 250 }).lookup(oneOf(documentOf(3), 7))).toEqual([]);
});
