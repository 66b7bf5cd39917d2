import { availableParallelism } from 'node:os';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityProblems } from './testing/accessibility.ts';
import { sampledPages } from './testing/site-pages.ts';
import { useBrowser } from './testing/use-browser.ts';

describe('every page in Chromium', () => {
  const browser = useBrowser();

  async function inBothSchemes(page: Page, path: string): Promise<string[]> {
    const problems: string[] = [];
    const rules = {
      'target-size': { enabled: true },
    };
    const schemes: Record<string, RunOptions> = {
      light: { rules },
      // Only colours differ between the schemes.
      dark: { runOnly: ['color-contrast', 'link-in-text-block'] },
    };
    for (const [scheme, options] of Object.entries(schemes)) {
      await page.evaluate((name) => {
        document.documentElement.dataset.theme = name;
      }, scheme);
      const found = await accessibilityProblems(page, options);
      problems.push(...found.map((line) => `${path} ${scheme} ${line}`));
    }
    return problems;
  }

  async function waitForKeyboard(page: Page): Promise<void> {
    // A script makes those blocks of code reachable by the keyboard that do not fit the page.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('pre')].every(
        (code) => !code.checkVisibility() || code.scrollWidth <= code.clientWidth || code.tabIndex === 0,
      ),
    );
  }

  test('a page of each kind has nothing that axe objects to, in light and in dark, and breaks no policy', async () => {
    const paths = sampledPages();
    expect(paths.length).toBeGreaterThan(15);
    const problems: string[] = [];
    let looked = 0;
    const rest = paths.values();
    async function lookAtRest(): Promise<void> {
      const page = await browser.open({ colorScheme: 'light', reducedMotion: 'reduce' });
      for (const path of rest) {
        await page.goto(browser.site.url + path);
        await waitForKeyboard(page);
        problems.push(...(await inBothSchemes(page, path)));
        looked += 1;
      }
    }
    await Promise.all(Array.from({ length: availableParallelism() }, lookAtRest));
    expect(problems).toEqual([]);
    expect(looked).toBe(paths.length);
  }, 600_000);

  test('lets the search work, whose index and code are loaded when it is opened', async () => {
    const page = await browser.open();
    await page.goto(`${browser.site.url}/guides/`);
    await page.click('[data-open-modal]');
    await page.locator('dialog[open] input').fill('dialogue');
    await page.locator('dialog[open] a').first().waitFor();
  });

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
