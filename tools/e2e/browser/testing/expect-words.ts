import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { drawnFrames, type ListedWord, type LitWord, listedWords, litWords } from './playground.ts';

/** Maximum delay of the lamp, in seconds of audio; longer only if the browser drew nothing in between. */
const lateness = 0.25;
/** The tape is drawn anew when its length has changed by more than so many seconds. */
const rounding = 0.01;
/** Seconds by which a frame of the page and one of the test may be read apart. */
const reading = 0.04;

/** Words were lit in order, each while it was heard, one at a time, and no faster than a clock on the wall goes. */
export async function expectInTime(page: Page): Promise<void> {
  const [lit, frames] = [await litWords(page), await drawnFrames(page)];
  for (const [place, word] of lit.entries()) {
    expect(word.index, `"${word.text}" comes in its turn`).toBeGreaterThan(lit[place - 1]?.index ?? -1);
    expect(word.litInText, `"${word.text}" is lit in the text, and it alone`).toEqual([word.text]);
    const drawnStart = word.start - rounding;
    expect(word.position, `"${word.text}" is not lit before it is heard`).toBeGreaterThanOrEqual(drawnStart);
    expect(framesMissed(word, frames), `"${word.text}" is lit as soon as the browser draws`).toEqual([]);
    expect(word.heights[0], 'the text takes the room of its field').toBe(word.heights[1]);
    const settled = lit.at(-1)?.places ?? [];
    const moved = word.places.flatMap((place, index) => {
      const final = settled[index];
      // A later event may divide the text into other words; those that stay must not move.
      if (final?.text !== place.text || Math.hypot(place.x - final.x, place.y - final.y) <= 1) return [];
      return [{ place, final }];
    });
    expect(moved, `words that stand elsewhere while "${word.text}" is lit`).toEqual([]);
  }
  const first = lit.at(0);
  const last = lit.at(-1);
  if (!first || !last) throw new Error('no word was lit');
  const heard = last.position - first.position;
  const passed = (last.clock - first.clock) / 1000;
  // A machine that stalls holds the sound up; nothing makes it run ahead.
  expect(heard - passed, 'the audio runs no faster than the clock on the wall').toBeLessThan(0.5);
}

/** Frames that were drawn after a word began and before it was lit, if it was lit late. */
function framesMissed(word: LitWord, frames: readonly number[]): readonly number[] {
  if (word.position - word.start < lateness) return [];
  return frames.filter((heard) => heard > word.start + reading && heard < word.position - reading);
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
    // The test and the page read the clock one after the other: a single frame may be another word's.
    const drawn = framesDuring(word, frames);
    expect(
      drawn.length,
      `"${word.text}" was not lit, though the browser drew while it was heard`,
    ).toBeLessThanOrEqual(1);
  }
}

function framesDuring({ start, end }: ListedWord, frames: readonly number[]): readonly number[] {
  return frames.filter((heard) => heard > start + reading && heard < end - reading);
}
