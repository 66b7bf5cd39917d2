import type { Page } from 'playwright-core';
import type { BrowserUnderTest } from './use-browser.ts';

export interface LitWord {
  readonly index: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Seconds of audio heard. */
  readonly position: number;
  /** The page's clock in milliseconds. */
  readonly clock: number;
  readonly litInText: readonly string[];
  /** Position of the middle of each word of the text at that moment. */
  readonly places: readonly { readonly text: string; readonly x: number; readonly y: number }[];
  /** Heights of the shown text and of the field that it replaces. */
  readonly heights: readonly number[];
}

/** Opens a playground, Speak unless another one is named, in a page of its own or this one, and waits until it is ready. */
export async function openPlayground(browser: BrowserUnderTest, path = '', prepared?: Page): Promise<Page> {
  const page = prepared ?? (await browser.open());
  await page.goto(`${browser.site.url}/playground/${path}`);
  await page.locator('.island[data-ready]').waitFor();
  // The font must be loaded, because it moves words.
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return page;
}

/** Presses a button that saves a file. @returns the content of the file */
export async function download(page: Page, button: string): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  return Buffer.concat(await (await file.createReadStream()).toArray());
}

/** Records every word that the page lights from now on, with the time of its drawing. */
export async function watchWords(page: Page): Promise<void> {
  await page.evaluate(() => {
    const words: unknown[] = [];
    const frames: number[] = [];
    Object.assign(window, { litWords: words, frames });
    const tape = document.querySelector<HTMLElement>('[data-tape]');
    // The time of the drawing, because the clock advances between the page's work in a frame and this check.
    const drawn = (name: string) => Number(tape?.style.getPropertyValue(name));
    const frame = () => {
      frames.push(drawn('--share') * drawn('--seconds'));
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    let last = -1;
    new MutationObserver(() => {
      const blocks = [...(tape?.querySelectorAll<HTMLElement>('i') ?? [])];
      const index = blocks.findIndex(({ dataset }) => dataset.lit !== undefined);
      const block = blocks[index];
      if (index === last) return;
      last = index;
      if (block === undefined) return;
      const seconds = (name: string) => Number(block.style.getPropertyValue(name)) * drawn('--seconds');
      const lit = [...document.querySelectorAll('.words [data-lit]')];
      words.push({
        index,
        text: block.textContent,
        start: seconds('--from'),
        end: seconds('--to'),
        position: drawn('--share') * drawn('--seconds'),
        clock: performance.now(),
        litInText: lit.map((element) => element.textContent),
        places: [...document.querySelectorAll<HTMLElement>('[data-words] span')].map((word) => {
          // The lamp is slightly wider than the word but has the same middle.
          const { left, right, top, bottom } = word.getBoundingClientRect();
          return { text: word.textContent, x: (left + right) / 2, y: (top + bottom) / 2 + scrollY };
        }),
        heights: ['[data-words]', 'textarea'].map((part) => document.querySelector(part)?.scrollHeight ?? 0),
      });
    }).observe(tape as Element, { subtree: true, attributes: true, attributeFilter: ['data-lit'] });
  });
}

export function litWords(page: Page): Promise<LitWord[]> {
  return page.evaluate(() => (window as unknown as { litWords: LitWord[] }).litWords);
}

export interface ListedWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function listedWords(page: Page): Promise<ListedWord[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-tape] i')].map((block) => {
      const seconds = (name: string) =>
        Number(block.style.getPropertyValue(name)) *
        Number(getComputedStyle(block).getPropertyValue('--seconds'));
      return { text: block.textContent, start: seconds('--from'), end: seconds('--to') };
    }),
  );
}

/** Seconds of audio drawn as heard at each frame since {@link watchWords}. */
export function drawnFrames(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as unknown as { frames: number[] }).frames);
}

export async function waitForState(page: Page, ...states: string[]): Promise<void> {
  const selector = states.map((state) => `.island[data-state="${state}"]`).join(', ');
  await page.locator(selector).waitFor({ timeout: 60_000 });
}

/**
 * Waits until one of these words was lit after this many others. There are several, because a busy machine may skip a short
 * one.
 */
export async function waitForLit(page: Page, first: number, last: number, since = 0): Promise<void> {
  await page.waitForFunction(
    ([from, to, before]) =>
      (window as unknown as { litWords: { index: number }[] }).litWords
        .slice(before)
        .some(({ index }) => index >= from && index <= to),
    [first, last, since] as const,
    { timeout: 30_000 },
  );
}

export async function litCount(page: Page): Promise<number> {
  return (await litWords(page)).length;
}

export async function waitForWords(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (count) => (window as unknown as { litWords: unknown[] }).litWords.length >= count,
    count,
    { timeout: 30_000 },
  );
}
