import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser } from './testing/use-browser.ts';
import { takeLit, watchLit } from './testing/watch-lit.ts';

describe('examples that can be heard, in Chromium', () => {
  const browser = useBrowser();

  async function open(path: string): Promise<{ page: Page; loaded: string[] }> {
    const page = await browser.open();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto(browser.site.url + path, { waitUntil: 'networkidle' });
    return { page, loaded };
  }

  test('a sample is spoken with its directions, which are not words', async () => {
    const { page, loaded } = await open('/guides/expression/');
    expect(loaded.filter((path) => /engine|recite|play-file|\/audio\//.test(path))).toEqual([]);
    await watchLit(page);
    await page.locator('hear-it button').first().click();
    await page.locator('hear-it[data-state=heard]').waitFor();
    const lit = await takeLit(page);
    expect(lit.length).toBeGreaterThan(0);
    // Directions are not among them; a machine too busy to draw while a word sounds leaves that one out.
    expect(['Somebody', 'is', 'at', 'the', 'door', 'It', 'grandma']).toEqual(expect.arrayContaining(lit));
    expect(loaded).toContain('/engine/english.data.gz');
  });

  test('a dialogue is spoken by its voices, and stops when it is asked to', async () => {
    const { page, loaded } = await open('/guides/dialogue/');
    const example = page.locator('hear-it').nth(1);
    await example.getByRole('button').click();
    await example.locator('[data-lit]').waitFor();
    // The last line is Chinese.
    await expect.poll(() => loaded).toContain('/engine/chinese.data.gz');
    await example.getByRole('button', { name: 'Stop' }).click();
    await page.locator('hear-it[data-state=stopped]').waitFor();
    expect(await example.locator('[data-lit]').count()).toBe(0);
  });

  test('one sound at a time: a second example silences the first', async () => {
    const { page } = await open('/guides/dialogue/');
    const [first, second] = [page.locator('hear-it').nth(0), page.locator('hear-it').nth(1)];
    await first.getByRole('button').click();
    await first.locator('[data-lit]').waitFor();
    await second.getByRole('button').click();
    await page.locator('hear-it[data-state=stopped]').waitFor();
    await second.locator('[data-lit]').waitFor();
    expect(await page.locator('hear-it[data-state=playing]').count()).toBe(1);
    expect(await first.locator('[data-lit]').count()).toBe(0);
  });

  test('the files of the reference play in every format', async () => {
    const { page, loaded } = await open('/reference/create-speech/');
    for (const file of ['good-morning.mp3', 'good-morning.wav', 'good-morning.ogg', 'good-morning.pcm']) {
      const example = page.locator('details.example', { hasText: `audio/${file}` });
      // The first one is open already.
      if ((await example.getAttribute('open')) === null) await example.locator('summary').click();
      await example.getByRole('button', { name: 'Hear it' }).click();
      await example.locator('hear-it[data-state=heard]').waitFor();
      expect(loaded).toContain(`/audio/${file}`);
    }
  });

  test('a file that is missing is said in words', async () => {
    const { page } = await open('/reference/create-speech/');
    await page.route('**/audio/good-morning.mp3', (route) => route.fulfill({ status: 404 }));
    const example = page.locator('details.example', { hasText: 'audio/good-morning.mp3' });
    await example.getByRole('button', { name: 'Hear it' }).click();
    await example.getByText('This page cannot play it: the file answered 404').waitFor();
  });
});
