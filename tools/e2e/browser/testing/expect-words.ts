import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { drawnFrames, type ListedWord, type LitWord, listedWords, litWords } from './playground.ts';

/** How late the lamp may be, in seconds of audio: a few frames of a busy machine. */
const lateness = 0.25;
/** Seconds by which the clocks of drawing and of sound may be read apart. */
const reading = 0.04;

/** Words were lit in order, each while it was heard, one at a time, and at the pace of a clock on the wall. */
export async function expectInTime(page: Page): Promise<void> {
  const lit = await litWords(page);
  for (const [place, word] of lit.entries()) {
    expect(word.index, `"${word.text}" comes in its turn`).toBeGreaterThan(lit[place - 1]?.index ?? -1);
    expect(word.litInText, `"${word.text}" is lit in the text, and it alone`).toEqual([word.text]);
    expect(word.position, `"${word.text}" is not lit before it is heard`).toBeGreaterThanOrEqual(word.start);
    expect(word.position - word.start, `"${word.text}" is lit in time`).toBeLessThan(lateness);
    expect(word.heights[0], 'the text takes the room of its field').toBe(word.heights[1]);
    const settled = lit.at(-1)?.places ?? [];
    const moved = word.places.filter(({ x, y }, index) => {
      const final = settled[index];
      return final !== undefined && Math.hypot(x - final.x, y - final.y) > 1;
    });
    expect(moved, `words that stand elsewhere while "${word.text}" is lit`).toEqual([]);
  }
  const first = lit.at(0);
  const last = lit.at(-1);
  if (!first || !last) throw new Error('no word was lit');
  const heard = last.position - first.position;
  const passed = (last.clock - first.clock) / 1000;
  expect(Math.abs(heard - passed), 'the clock of the audio and the clock on the wall agree').toBeLessThan(
    0.5,
  );
}

/**
 * These words were heard, and each of them was lit; a machine that is too busy to draw at all while a short word
 * sounds may leave it out.
 */
export async function expectNoneMissed(page: Page, words: readonly string[]): Promise<void> {
  const listed = await listedWords(page);
  expect(listed.map(({ text }) => text)).toEqual(words);
  const [lit, frames] = [await litWords(page), await drawnFrames(page)];
  for (const [index, word] of listed.entries()) {
    if (lit.some((other) => other.index === index)) continue;
    const drawn = framesDuring(word, lit, frames);
    expect(drawn, `"${word.text}" was not lit, though the browser drew while it was heard`).toEqual([]);
  }
}

function framesDuring(
  word: ListedWord,
  lit: readonly LitWord[],
  frames: readonly number[],
): readonly number[] {
  const nearest = lit.toSorted((left, right) => distance(left, word) - distance(right, word)).at(0);
  if (!nearest) throw new Error('no word was lit');
  const toClock = (seconds: number) => nearest.clock + (seconds - nearest.position) * 1000;
  return frames.filter(
    (frame) => frame > toClock(word.start + reading) && frame < toClock(word.end - reading),
  );
}

function distance(lit: LitWord, word: ListedWord): number {
  return Math.abs(lit.start - word.start);
}
