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
    expect(loaded.filter((path) => /engine|recite|\/audio\//.test(path))).toEqual([]);
    await watchLit(page);
    await page.locator('hear-it button').first().click();
    await page.locator('hear-it[data-state=heard]').waitFor();
    const lit = await takeLit(page);
    expect(lit.length).toBeGreaterThan(0);
    // Directions are not spoken. A busy machine may skip drawing a word.
    expect(['Somebody', 'is', 'at', 'the', 'door', 'It', 'grandma']).toEqual(expect.arrayContaining(lit));
    expect(loaded).toContain('/engine/english.data.gz');
  });

  test('the files of the reference play in every format that a browser plays', async () => {
    const { page, loaded } = await open('/reference/create-speech/');
    for (const file of ['good-morning.mp3', 'good-morning.wav', 'good-morning.ogg']) {
      expect(loaded).not.toContain(`/audio/${file}`);
      await page.evaluate(async (name) => {
        const player = document.querySelector<HTMLAudioElement>(`audio[src$="${name}"]`);
        await player?.play();
        player?.pause();
      }, file);
      expect(loaded).toContain(`/audio/${file}`);
    }
  });
});
