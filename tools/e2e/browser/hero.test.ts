import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser } from './testing/use-browser.ts';
import { takeLit, watchLit } from './testing/watch-lit.ts';

describe('the start page speaks by itself', () => {
  const browser = useBrowser();

  /** Counts the bytes of all answers to a page, from a host that compresses text, as most do. */
  function countBytes(page: Page): () => Promise<number> {
    const sizes: Promise<number>[] = [];
    page.on('response', (response) => {
      const { 'content-type': type = '', 'content-length': length = '0' } = response.headers();
      const isText = /text|javascript|json|svg/.test(type);
      const compressed = response.body().then((body) => gzipSync(body).length);
      sizes.push(isText ? compressed : Promise.resolve(Number(length)));
    });
    return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }

  test('speaks what is typed and the sentence that is drawn, and lights their words in order; the first click loads some 0.7 MB for English, the second nothing', async () => {
    const page = await browser.open();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    const sent = countBytes(page);
    await page.goto(`${browser.site.url}/`, { waitUntil: 'networkidle' });
    expect(loaded.filter((path) => /engine|recite/.test(path))).toEqual([]);
    const text = 'Bread, butter and a pot of tea.';
    const words = text.match(/\w+/g) ?? [];
    await page.fill('#hero-text', text);
    const hear = async (place: string): Promise<{ bytes: number; lit: string[] }> => {
      const before = await sent();
      await watchLit(page);
      await page.click(`${place} button`);
      const status = page.locator(`${place} [data-status]`);
      await status.filter({ hasText: 'This page is speaking' }).waitFor();
      await status.filter({ hasText: 'Spoken by' }).waitFor();
      return { bytes: (await sent()) - before, lit: await takeLit(page) };
    };
    const toRead = await sent();
    const first = await hear('.say');
    const second = await hear('.sentence');
    expect(toRead).toBeGreaterThan(50_000);
    expect(first.bytes).toBeGreaterThan(500_000);
    expect(first.bytes).toBeLessThan(800_000);
    expect(second.bytes).toBe(0);
    // A busy machine may skip drawing a short word.
    expect(first.lit.length).toBeGreaterThan(0);
    expect(second.lit.length).toBeGreaterThan(0);
    expect(first.lit).toEqual(words.filter((word) => first.lit.includes(word)));
    const sentence = ['Every', 'word', 'knows', 'its', 'time'];
    expect(second.lit).toEqual(sentence.filter((word) => second.lit.includes(word)));
    expect(loaded).not.toContain('/engine/chinese.data.gz');
    const link = await page.getByRole('link', { name: 'Open it in the playground' }).getAttribute('href');
    const playground = await browser.open();
    await playground.goto(new URL(link ?? '', browser.site.url).href);
    expect(await playground.inputValue('textarea')).toBe(text);
  });
});
