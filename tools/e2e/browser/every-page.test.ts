import { availableParallelism } from 'node:os';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityProblems } from './testing/accessibility.ts';
import { coveredTexts } from './testing/covered-texts.ts';
import { sampledPages } from './testing/site-pages.ts';
import { useBrowser } from './testing/use-browser.ts';

const rules = { 'target-size': { enabled: true } };
/** What differs on a phone and in the dark scheme: colours, layout and scrolling. */
const phoneRules = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];
const views: readonly { scheme: string; width: number; axe: RunOptions }[] = [
  { scheme: 'light', width: 1280, axe: { rules } },
  { scheme: 'dark', width: 390, axe: { rules, runOnly: phoneRules } },
];

describe('every page in Chromium', () => {
  const browser = useBrowser();

  /** Resizes one page and switches its colours. */
  async function problemsOf(page: Page, path: string): Promise<string[]> {
    const problems: string[] = [];
    for (const { scheme, width, axe } of views) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate((name) => {
        document.documentElement.dataset.theme = name;
      }, scheme);
      const view = `${path} ${scheme} ${width}`;
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (overflow > 0) problems.push(`${view} is ${overflow} pixels too wide`);
      await waitForKeyboard(page);
      problems.push(...(await accessibilityProblems(page, axe)).map((line) => `${view} ${line}`));
    }
    return problems;
  }

  async function waitForKeyboard(page: Page): Promise<void> {
    // A script makes overflowing code and tables reachable by keyboard.
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLElement>('pre, .sl-markdown-content table')].every(
        (block) => !block.checkVisibility() || block.scrollWidth <= block.clientWidth || block.tabIndex === 0,
      ),
    );
  }

  /** Opens a page of each kind, several at a time. @returns what is wrong with them */
  async function problemsOfPages(look: (page: Page, path: string) => Promise<string[]>): Promise<string[]> {
    const paths = sampledPages();
    expect(paths.length).toBeGreaterThan(15);
    const problems: string[] = [];
    const rest = paths.values();
    async function lookAtRest(): Promise<void> {
      const page = await browser.open({ colorScheme: 'light', reducedMotion: 'reduce' });
      for (const path of rest) {
        await page.goto(browser.site.url + path);
        problems.push(...(await look(page, path)));
      }
    }
    await Promise.all(Array.from({ length: availableParallelism() }, lookAtRest));
    return problems;
  }

  test('a page of each kind fits a phone and a wide screen, has nothing that axe objects to, and breaks no policy', async () => {
    expect(await problemsOfPages(problemsOf)).toEqual([]);
  }, 3_600_000);

  test('no text on a page of each kind covers another, at any width and scroll position', async () => {
    const problems = await problemsOfPages(async (page, path) => {
      const covered: string[] = [];
      for (const width of [768, 1152, 1280, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        covered.push(...(await page.evaluate(coveredTexts)).map((texts) => `${path} ${width} ${texts}`));
      }
      return covered;
    });
    expect(problems).toEqual([]);
  }, 3_600_000);

  test('would show it if a page did what its policy forbids', async () => {
    const page = await browser.open();
    await page.goto(`${browser.site.url}/`);
    await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "taken over"';
      document.body.append(script);
      await fetch('http://192.0.2.1/').catch(() => undefined);
    });
    await expect.poll(() => page.title()).not.toBe('taken over');
    const refused = browser.takeViolations().join('\n');
    expect(refused).toMatch(/inline script/i);
    expect(refused).toContain('http://192.0.2.1/');
  });
});
