import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { useBrowser } from './testing/use-browser.ts';

describe('the search in Chromium', () => {
  const browser = useBrowser();

  test('opens with /, and goes through the results with the arrow keys', async () => {
    const page = await browser.open();
    await page.goto(`${browser.site.url}/guides/`);
    const field = page.locator('.pagefind-ui__search-input');
    const openByKey = async () => {
      // Until its script has run, a page does not listen to the keyboard.
      const dialog = page.locator('site-search dialog[open]');
      await expect
        .poll(async () => {
          await page.keyboard.press('/');
          return dialog.isVisible();
        })
        .toBe(true);
      // The field comes when the page is idle, or after a second.
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
    await browser.picture(page, 'search');
    const first = new URL((await links.first().getAttribute('href')) ?? '', page.url());
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === first.pathname);
    await openByKey();
    await field.fill('');
    await field.focus();
    await page.keyboard.type('24/7');
    expect(await field.inputValue()).toBe('24/7');
  });

  test('shows the results of one part of the site alone, however late the list of parts arrives', async () => {
    const page = await browser.open();
    await page.route('**/*.pf_filter', async (route) => {
      await setTimeout(2000);
      await route.continue();
    });
    await page.goto(`${browser.site.url}/guides/`);
    await page.locator('site-search button[data-open-modal]:enabled').click();
    await page.locator('.pagefind-ui__search-input').fill('timeline');
    const found = () =>
      page
        .locator('.pagefind-ui__result-title:not(.pagefind-ui__result-nested *) a')
        .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
    await expect.poll(async () => (await found()).some((path) => path.startsWith('/guides/'))).toBe(true);
    await page.locator('.pagefind-ui__filter-value', { hasText: 'TypeScript' }).locator('label').click();
    await expect
      .poll(async () => {
        const paths = await found();
        return paths.length > 0 && paths.every((path) => path.startsWith('/typescript/'));
      })
      .toBe(true);
    await browser.picture(page, 'search-filtered');
  });

  test('proposes a likely page at an address that leads nowhere', async () => {
    const page = await browser.open();
    const answer = await page.goto(`${browser.site.url}/guides/speach/`);
    expect(answer?.status()).toBe(404);
    const likely = page.locator('not-found li a').first();
    await likely.waitFor();
    expect(await likely.getAttribute('href')).toBe('/guides/speech/');
  });

  test('copies a page as Markdown', async () => {
    const page = await browser.open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${browser.site.url}/reference/create-speech/`);
    await page.getByRole('button', { name: 'Copy page' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text.startsWith('# Create speech · POST /v1/tts\n')).toBe(true);
    expect(text).toContain('`repetition_penalty`');
    await page.close();
  });
});
