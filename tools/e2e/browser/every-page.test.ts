import { describe, expect, it } from 'vitest';
import { accessibilityProblems } from './testing/accessibility.ts';
import { missingChromium } from './testing/chromium.ts';
import { sitePages } from './testing/site-pages.ts';
import { useBrowser } from './testing/use-browser.ts';

describe.skipIf(missingChromium)(
  `every page in Chromium${missingChromium ? ` (${missingChromium})` : ''}`,
  () => {
    const test = useBrowser();

    it('has nothing that axe objects to, in light and in dark, and breaks no policy', async () => {
      const paths = sitePages();
      expect(paths.length).toBeGreaterThan(20);
      const problems: string[] = [];
      const page = await test.open({ colorScheme: 'light', reducedMotion: 'reduce' });
      for (const path of paths) {
        await page.goto(test.site.url + path);
        // A script makes those blocks of code reachable by the keyboard that do not fit the page.
        await page.waitForFunction(() =>
          [...document.querySelectorAll('pre')].every(
            (code) => code.scrollWidth <= code.clientWidth || code.tabIndex === 0,
          ),
        );
        const light = await accessibilityProblems(page);
        await page.evaluate(() => {
          document.documentElement.dataset.theme = 'dark';
        });
        // Only colours differ between the schemes.
        const dark = await accessibilityProblems(page, { runOnly: ['color-contrast', 'link-in-text-block'] });
        problems.push(
          ...light.map((line) => `${path} ${line}`),
          ...dark.map((line) => `${path} dark ${line}`),
        );
        problems.push(...test.takeViolations().map((line) => `${path} ${line}`));
      }
      expect(problems).toEqual([]);
    }, 240_000);

    it('lets the search work, whose index and code are loaded when it is opened', async () => {
      const page = await test.open();
      await page.goto(`${test.site.url}/guides/`);
      await page.click('[data-open-modal]');
      await page.locator('dialog[open] input').fill('dialogue');
      await page.locator('dialog[open] a').first().waitFor();
    });

    it('would show it if a page did what its policy forbids', async () => {
      const page = await test.open();
      await page.goto(`${test.site.url}/`);
      await page.evaluate(async () => {
        const script = document.createElement('script');
        script.textContent = 'document.title = "taken over"';
        document.body.append(script);
        await fetch('http://192.0.2.1/').catch(() => undefined);
      });
      await expect.poll(() => page.title()).not.toBe('taken over');
      const refused = test.takeViolations().join('\n');
      expect(refused).toMatch(/inline script/i);
      expect(refused).toContain('http://192.0.2.1/');
    });
  },
);
