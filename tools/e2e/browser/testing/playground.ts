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
  /** Index of the text that contains it. */
  readonly page: number;
  /** Of a dialogue, the card, the lane and the row of the tape that were lit at that moment. */
  readonly litPlaces: readonly string[];
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

/** Opens one of the other playgrounds and waits until it is ready. */
export async function openIsland(page: Page, siteUrl: string, name: string): Promise<void> {
  await page.goto(`${siteUrl}/playground/${name}/`);
  await page.locator('.island[data-ready]').waitFor();
}

/** Presses a button that saves a file. @returns where the file is */
export async function download(page: Page, button: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  return file.path();
}

/** Keeps every word the page lights from now on, and when the browser drew. */
export async function watchWords(page: Page): Promise<void> {
  await page.evaluate(() => {
    const words: unknown[] = [];
    const frames: number[] = [];
    Object.assign(window, { litWords: words, frames });
    const island = document.querySelector<HTMLElement & { readonly position?: number }>('.island');
    const frame = () => {
      frames.push(island?.position ?? 0);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    const placesOf = (selector: string, name: string) =>
      [...document.querySelectorAll(selector)].flatMap((element, index) =>
        element.hasAttribute('data-lit') ? [`${name} ${index}`] : [],
      );
    document.querySelector('.island')?.addEventListener('word-lit', (event) => {
      const lit = [...document.querySelectorAll('.words [data-lit]')];
      const rows = [...document.querySelectorAll<HTMLElement>('[data-tape] i[data-lit]')];
      words.push({
        ...(event as CustomEvent).detail,
        clock: performance.now(),
        litPlaces: [
          ...placesOf('.line', 'line'),
          ...placesOf('.speaker', 'speaker'),
          ...rows.map((row) => `row ${row.style.getPropertyValue('--row')}`),
        ],
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

/** Seconds of the audio that were heard each time the browser drew, since {@link watchWords}. */
export function drawnFrames(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as unknown as { frames: number[] }).frames);
}

/** Waits for a state of the playground. */
export async function waitForState(page: Page, ...states: string[]): Promise<void> {
  const selector = states.map((state) => `.island[data-state="${state}"]`).join(', ');
  await page.locator(selector).waitFor({ timeout: 30_000 });
}

/**
 * Waits until one of these words was lit after so many others. Several, because a machine that is too busy to draw
 * while a short word sounds leaves it out.
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

/** How many words were lit since {@link watchWords}. */
export async function litCount(page: Page): Promise<number> {
  return (await litWords(page)).length;
}

/** Waits until so many words were lit. */
export async function waitForWords(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => (window as unknown as { litWords: unknown[] }).litWords.length >= wanted,
    count,
    { timeout: 30_000 },
  );
}
