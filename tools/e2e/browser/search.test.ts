import { describe, expect, test } from 'vitest';
import { useBrowser } from './testing/use-browser.ts';

describe('the search in Chromium', () => {
  const browser = useBrowser();

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
      // The field appears when the page is idle, or after a second.
      await field.waitFor();
    };
    await openByKey();
    await field.fill('subtitles');
    const links = page.locator('.pagefind-ui__result-link');
    await links.nth(1).waitFor();
    const focused = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.pagefind-ui__result-link')].findIndex((link) =>
          link.matches(':focus'),
        ),
      );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(1);
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
