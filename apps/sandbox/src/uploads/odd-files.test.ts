import { expect, test } from 'vitest';
import { readCredit, start, transcribe } from '../testing/sandboxes.ts';
import { makeAdts, makeFlac, makeM4a, makeWebm, writeWav } from './testing/make-files.ts';
import { encode, tone, voiceLike } from './testing/sounds.ts';

const files = 500;
const atOnce = 10;
const mebibyte = 2 ** 20;

/** Numbers from 0 to below 1, the same every time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A valid file with up to four changes: bits flipped, a stretch overwritten, cut out or repeated, an end cut off. */
function oddFile(valid: readonly Uint8Array[], random: () => number): Uint8Array {
  const below = (limit: number): number => Math.floor(random() * limit);
  let bytes = Buffer.from(valid[below(valid.length)] ?? []);
  for (let change = 0; change <= below(4); change += 1) {
    // Heads are where most goes wrong.
    const place = below(random() < 0.5 ? Math.min(200, bytes.length) : bytes.length);
    const length = 1 + below(random() < 0.5 ? 4 : 2000);
    const stretch = bytes.subarray(place, place + length);
    const after = bytes.subarray(place + length);
    const changed = [
      [stretch.map((byte) => byte ^ (1 << below(8))), after],
      [stretch.map(() => below(256)), after],
      [stretch.map(() => (random() < 0.5 ? 0 : 255)), after],
      [after],
      [stretch, stretch, after],
      [],
      [(valid[below(valid.length)] ?? bytes).subarray(0, 3000), after],
    ][below(7)];
    bytes = Buffer.concat([bytes.subarray(0, place), ...(changed ?? [])]);
  }
  return bytes;
}

test(`answers ${files} odd files without an error of its own, others meanwhile, and keeps no memory of them`, async () => {
  const sandbox = await start();
  const samples = voiceLike(1.2, 130);
  const opus = await encode(samples, { format: 'opus', sampleRate: 48_000 });
  const honest = writeWav(tone(1.2, 220, 8000), { sampleRate: 8000 });
  const valid = [
    honest,
    await encode(samples, { format: 'mp3', sampleRate: 44_100 }),
    opus,
    await makeWebm(opus),
    makeFlac(samples.subarray(0, 20_000)),
    await makeM4a(1.2),
    makeAdts(1.2),
  ];
  const random = randomFrom(20_261_122);
  const counts = new Map<number, number>();
  const answerSome = async (count: number): Promise<void> => {
    const statuses = await Promise.all(
      Array.from({ length: count }, () => transcribe(sandbox, oddFile(valid, random))),
    );
    for (const { status } of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  };

  // Warm up first: memory for code that is loaded and compiled once does not count.
  await answerSome(100);
  const before = process.memoryUsage().rss;
  for (let answered = 100; answered < files; answered += atOnce) {
    const some = answerSome(atOnce);
    await readCredit(sandbox);
    await some;
  }
  expect((await transcribe(sandbox, honest)).status).toBe(200);
  expect([...counts.keys()].filter((status) => status >= 500)).toEqual([]);
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(files);
  // Some are still good, and some are not.
  expect(counts.get(200)).toBeGreaterThan(50);
  expect(counts.get(400)).toBeGreaterThan(50);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * mebibyte);
}, 240_000);
