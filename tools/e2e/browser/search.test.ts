import { describe, expect, test } from 'vitest';
import { accessibilityProblems } from './testing/accessibility.ts';
import { useBrowser } from './testing/use-browser.ts';

describe('the search in Chromium', () => {
  const browser = useBrowser();

  test('says so where there is no index, and loads nothing of it before Ctrl K opens the search', async () => {
    const page = await browser.open();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.route('**/pagefind/**', (route) => route.fulfill({ status: 404 }));
    await page.goto(`${browser.site.url}/guides/`, { waitUntil: 'networkidle' });
    expect(loaded.filter((url) => url.includes('pagefind'))).toEqual([]);
    await page.keyboard.press('Control+k');
    await page.getByText('The search index is not available here.').waitFor();
  });

  test('opens with /, and goes through the results with the arrow keys', async () => {
    const page = await browser.open();
    await page.goto(`${browser.site.url}/guides/`);
    const field = page.locator('.pagefind-ui__search-input');
    const openByKey = async () => {
      // The keyboard works once the page's script has run.
      const dialog = page.locator('site-search dialog[open]');
      await expect
        .poll(async () => {
          await page.keyboard.press('/');
          return dialog.isVisible();
        })
        .toBe(true);
      await field.waitFor();
    };
    await openByKey();
    await field.fill('subtitles');
    const links = page.locator('.pagefind-ui__result-link:visible');
    await links.nth(1).waitFor();
    expect(await accessibilityProblems(page, {}, 'site-search dialog')).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await links.nth(1).evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowDown');
    const first = new URL((await links.first().getAttribute('href')) ?? '', page.url());
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === first.pathname);
    await openByKey();
    await field.fill('');
    await field.focus();
    await page.keyboard.type('24/7');
    expect(await field.inputValue()).toBe('24/7');
  });
});
