import type { Page } from 'playwright-core';

/** A word as the page lit it. */
export interface LitWord {
  readonly index: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Seconds of the audio that were heard. */
  readonly position: number;
  /** Milliseconds of the page's clock. */
  readonly clock: number;
  /** What was lit in the text at that moment. */
  readonly litInText: readonly string[];
  /** Where the middle of each word of the text was at that moment. */
  readonly places: readonly { readonly text: string; readonly x: number; readonly y: number }[];
  /** Heights of the text that is read and of the field in whose place it is shown. */
  readonly heights: readonly number[];
}

/** Opens the playground and waits until it knows its sandbox and its voices. */
export async function openPlayground(page: Page, siteUrl: string, query = ''): Promise<void> {
  await page.goto(`${siteUrl}/playground/${query}`);
  await page.locator('speech-playground[data-ready]').waitFor();
}

/** Keeps every word the page lights from now on, and when the browser drew. */
export async function watchWords(page: Page): Promise<void> {
  await page.evaluate(() => {
    const words: unknown[] = [];
    const frames: number[] = [];
    Object.assign(window, { litWords: words, frames });
    const frame = () => {
      frames.push(performance.now());
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    document.querySelector('speech-playground')?.addEventListener('word-lit', (event) => {
      const lit = [...document.querySelectorAll('[data-words] [data-lit]')];
      words.push({
        ...(event as CustomEvent).detail,
        clock: performance.now(),
        litInText: lit.map((element) => element.textContent),
        places: [...document.querySelectorAll<HTMLElement>('[data-words] span')].map((word) => {
          // The lamp is a little wider than the word; the middle is the same.
          const { left, right, top, bottom } = word.getBoundingClientRect();
          return { text: word.textContent, x: (left + right) / 2, y: (top + bottom) / 2 + scrollY };
        }),
        heights: ['[data-words]', 'textarea'].map((part) => document.querySelector(part)?.scrollHeight ?? 0),
      });
    });
  });
}

/** The words lit since {@link watchWords}. */
export function litWords(page: Page): Promise<LitWord[]> {
  return page.evaluate(() => (window as unknown as { litWords: LitWord[] }).litWords);
}

/** A word of the page's own table. */
export interface ListedWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The words as the page lists them. */
export function listedWords(page: Page): Promise<ListedWord[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('[data-word-rows] tr')].map((row) => {
      const [text = '', start, end] = [...row.children].map((cell) => cell.textContent ?? '');
      return { text, start: Number(start), end: Number(end) };
    }),
  );
}

/** Milliseconds of the page's clock at which the browser drew, since {@link watchWords}. */
export function drawnFrames(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as unknown as { frames: number[] }).frames);
}

/** Waits for a state of the playground. */
export async function waitForState(page: Page, ...states: string[]): Promise<void> {
  const selector = states.map((state) => `speech-playground[data-state="${state}"]`).join(', ');
  await page.locator(selector).waitFor({ timeout: 30_000 });
}

/** Waits until so many words were lit. */
export async function waitForWords(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => (window as unknown as { litWords: unknown[] }).litWords.length >= wanted,
    count,
    { timeout: 30_000 },
  );
}
