import { describe, expect, test } from 'vitest';
import { accessibilityProblems } from './testing/accessibility.ts';
import { useBrowser } from './testing/use-browser.ts';

describe('the reference in Chromium', () => {
  const browser = useBrowser();

  test('keeps the samples in view while the text is read', async () => {
    const page = await browser.open({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${browser.site.url}/reference/create-speech/`);
    await page.locator('#errors').evaluate((heading) => heading.scrollIntoView());
    expect(await page.locator('.run [data-run]').isVisible()).toBe(true);
    const box = await page.locator('.samples').boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(200);
  });

  test('folds a long list, and opens it for a link into it', async () => {
    const page = await browser.open();
    await page.goto(`${browser.site.url}/reference/get-model/`);
    const inside = page.locator('.fold .field').last();
    expect(await inside.isVisible()).toBe(false);
    const id = await inside.getAttribute('id');
    await page.goto(`${browser.site.url}/reference/get-model/#${id}`);
    await expect.poll(() => inside.isVisible()).toBe(true);
    expect(await inside.evaluate((field) => field.getBoundingClientRect().top)).toBeLessThan(400);
  });

  test('shows every source by one switch, and remembers it on the next page', async () => {
    const page = await browser.open();
    await page.goto(`${browser.site.url}/reference/create-speech/`);
    const open = () => page.locator('[data-mark][open]').count();
    const all = await page.locator('[data-mark]').count();
    expect(all).toBeGreaterThan(10);
    expect(await page.locator('[data-mark]:visible').count()).toBe(0);
    expect(await open()).toBe(0);
    await page.getByLabel('show the sources').check();
    expect(await open()).toBe(all);
    expect(await accessibilityProblems(page, {}, '.operation')).toEqual([]);
    await browser.picture(page, 'reference-sources', true);
    await page.goto(`${browser.site.url}/reference/get-model/`);
    await expect.poll(open).toBeGreaterThan(0);
    await page.getByLabel('show the sources').uncheck();
    await expect.poll(open).toBe(0);
  });
});
