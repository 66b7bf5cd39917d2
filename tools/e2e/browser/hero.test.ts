import { gzipSync } from 'node:zlib';
import { createSpeechClient } from '@speech-api/client';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser } from './testing/use-browser.ts';
import { takeLit, watchLit } from './testing/watch-lit.ts';

describe('the start page speaks by itself', () => {
  const browser = useBrowser();

  /** Counts the bytes of all answers to a page, of a host that compresses text, as most do. */
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

  test('speaks and lights every word in order; the first click loads some 0.7 MB for English, the second nothing', async () => {
    const page = await browser.open();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    const sent = countBytes(page);
    await page.goto(`${browser.site.url}/`, { waitUntil: 'networkidle' });
    expect(loaded.filter((path) => /engine|recite/.test(path))).toEqual([]);
    await page.fill('#hero-text', 'Bread, butter and a pot of tea.');
    const say = async (): Promise<{ bytes: number; milliseconds: number; lit: string[] }> => {
      const before = await sent();
      await watchLit(page);
      const milliseconds = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const status = document.querySelector('hero-speech [data-status]');
            const since = performance.now();
            new MutationObserver((_, observer) => {
              if (!status?.textContent.startsWith('This page is speaking')) return;
              observer.disconnect();
              resolve(Math.round(performance.now() - since));
            }).observe(status as Element, { childList: true, characterData: true, subtree: true });
            document.querySelector<HTMLElement>('hero-speech button')?.click();
          }),
      );
      await expect.poll(() => page.textContent('hero-speech [data-status]')).toContain('Spoken by');
      return { bytes: (await sent()) - before, milliseconds, lit: await takeLit(page) };
    };
    const toRead = await sent();
    const first = await say();
    const second = await say();
    console.info(
      `bytes: ${toRead} to read the page, ${first.bytes} by the click, ${second.bytes} by the next`,
    );
    console.info(`click to first sound: ${first.milliseconds} ms, then ${second.milliseconds} ms`);
    expect(toRead).toBeGreaterThan(50_000);
    expect(first.bytes).toBeGreaterThan(500_000);
    expect(first.bytes).toBeLessThan(800_000);
    expect(second.bytes).toBe(0);
    // A machine too busy to draw while a word sounds leaves it out.
    expect(second.lit.length).toBeGreaterThan(0);
    const words = ['Bread', 'butter', 'and', 'a', 'pot', 'of', 'tea'];
    expect(second.lit).toEqual(words.filter((word) => second.lit.includes(word)));
    expect(loaded).not.toContain('/engine/chinese.data.gz');
  });

  test('each playground finds out without an error that no sandbox was started', async () => {
    const page = await browser.open();
    const wrong: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(message.text());
    });
    page.on('requestfailed', (request) => wrong.push(request.url()));
    // As the file that is built has it, for a host that starts nothing.
    await page.route('**/sandbox.json', (route) => route.fulfill({ json: {} }));
    for (const name of ['', 'live/']) {
      await page.goto(`${browser.site.url}/playground/${name}`, { waitUntil: 'networkidle' });
      await page.locator('.island[data-ready]').waitFor();
    }
    expect(wrong).toEqual([]);
  });

  test('says what its voice cannot do: nothing to speak, a script that it only spells, a text that is cut', async () => {
    const page = await browser.open();
    await page.goto(`${browser.site.url}/`);
    const status = page.locator('hero-speech [data-status]');
    const button = page.locator('hero-speech button');
    await page.fill('#hero-text', '?!');
    await button.click();
    await status.filter({ hasText: 'there is nothing to speak in this text' }).waitFor();
    await page.fill('#hero-text', 'Привет, как дела? '.repeat(20));
    await button.click();
    await status.filter({ hasText: 'letters of other scripts are only spelled' }).waitFor();
    await button.click();
    await status.filter({ hasText: 'Stopped.' }).waitFor();
    await page.fill('#hero-text', 'The tide comes in. '.repeat(30));
    await button.click();
    await status.filter({ hasText: 'The first 400 characters' }).waitFor();
    await button.click();
    await status.filter({ hasText: 'Stopped.' }).waitFor();
  });

  test('serves the licence of the engine and the way to its source beside it', async () => {
    const notice = await (await fetch(`${browser.site.url}/engine/NOTICE.txt`)).text();
    expect(notice).toContain('GNU General');
    expect(await (await fetch(`${browser.site.url}/engine/LICENSE.txt`)).text()).toContain(
      'GNU GENERAL PUBLIC LICENSE',
    );
  });

  const texts = ['It costs $3.50, or so they say; the 7:45 train is late.', 'Hello, 你好, and good morning.'];
  test.each(texts)('has the words, the times and the samples of the sandbox for “%s”', async (text) => {
    const page = await browser.open();
    await page.goto(`${browser.site.url}/`);
    const spoken = page.evaluate(
      () =>
        new Promise<{ words: unknown[]; audio: number[] }>((resolve) => {
          const onRecited = (event: Event): void => {
            const { words, audio } = (event as CustomEvent<{ words: unknown[]; audio: Uint8Array[] }>).detail;
            resolve({ words, audio: audio.flatMap((piece) => [...piece]) });
          };
          addEventListener('recited', onRecited, { once: true });
        }),
    );
    await page.fill('#hero-text', text);
    await page.click('hero-speech button');
    const client = createSpeechClient({ apiKey: 'sandbox-key', baseUrl: browser.sandbox.url });
    const voice = /\p{Script=Han}/u.test(text) ? 'sandbox-mei' : 'sandbox-alba';
    const stream = await client.speech.streamWithTimestamps({
      text,
      reference_id: voice,
      format: 'pcm',
      latency: 'low',
    });
    const { timeline, audio } = await stream.collect();
    const here = await spoken;
    expect(here.words).toEqual(timeline.segments.map(({ text, start, end }) => ({ text, start, end })));
    // The sandbox resamples to twice the rate of the engine: every second of its samples is one of the page's.
    const ours = samplesOf(new Uint8Array(here.audio));
    const theirs = samplesOf(audio).filter((_, index) => index % 2 === 0);
    expect(theirs.length).toBe(ours.length);
    const difference = theirs.map((sample, index) => sample - (ours[index] ?? 0));
    expect(power(ours)).toBeGreaterThan(10_000);
    expect(power(difference) / power(ours)).toBeLessThan(0.001);
  });
});

function samplesOf(pcm: Uint8Array): Int16Array {
  return new Int16Array(new Uint8Array(pcm).buffer);
}

function power(samples: Int16Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
}
