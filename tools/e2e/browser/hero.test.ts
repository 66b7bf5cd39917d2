import { createServer, type Server } from 'node:http';
import { createSpeechClient } from '@speech-api/client';
import { closeServer, listenOnLoopback } from '@speech-api/run/servers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingChromium } from './testing/chromium.ts';
import { useBrowser } from './testing/use-browser.ts';

describe.skipIf(missingChromium)(
  `the start page speaks by itself${missingChromium ? ` (${missingChromium})` : ''}`,
  () => {
    const browser = useBrowser();
    let host: Server;
    let address: string;
    beforeAll(async () => {
      // A plain file host: it has no /sandbox.json, and nothing answers calls.
      host = createServer(async (request, response) => {
        const answer = await fetch(browser.site.url + request.url);
        const isFile = answer.ok && request.url !== '/sandbox.json';
        response.writeHead(isFile ? 200 : 404, { 'content-type': answer.headers.get('content-type') ?? '' });
        response.end(isFile ? new Uint8Array(await answer.arrayBuffer()) : undefined);
      });
      address = `http://127.0.0.1:${await listenOnLoopback(host, 0)}`;
    });
    afterAll(() => closeServer(host));

    test('loads the engine on the click, speaks, and lights every word in order', async () => {
      const page = await browser.open();
      const loaded: string[] = [];
      page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
      await page.goto(`${address}/`, { waitUntil: 'networkidle' });
      expect(loaded.filter((path) => /engine|recite/.test(path))).toEqual([]);
      await page.evaluate(() => {
        const lit: string[] = [];
        Object.assign(window, { lit });
        new MutationObserver(() => {
          const word = document.querySelector('hero-speech [data-lit]')?.textContent;
          if (word && lit.at(-1) !== word) lit.push(word);
        }).observe(document.querySelector('hero-speech') as Element, { attributes: true, subtree: true });
      });
      await page.fill('#hero-text', 'Bread, butter and a pot of tea.');
      await page.click('hero-speech button');
      await expect.poll(() => page.textContent('hero-speech [data-status]')).toContain('Spoken by this page');
      const lit = await page.evaluate(() => (window as unknown as { lit: string[] }).lit);
      expect(lit).toEqual(['Bread', 'butter', 'and', 'a', 'pot', 'of', 'tea']);
      expect(loaded).toContain('/engine/english.data.gz');
      expect(loaded).not.toContain('/engine/chinese.data.gz');
    });

    test('loads Chinese at the first Han character, and stops when it is asked to', async () => {
      const page = await browser.open();
      const loaded: string[] = [];
      page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
      await page.goto(`${address}/`);
      await page.fill('#hero-text', '你好，世界。每一个字都会在你听到它的时候亮起来。');
      await page.click('hero-speech button');
      await expect.poll(() => page.locator('hero-speech [data-lit]').count()).toBe(1);
      expect(loaded).toContain('/engine/chinese.data.gz');
      await page.click('hero-speech button');
      await expect.poll(() => page.textContent('hero-speech [data-status]')).toBe('Stopped.');
      expect(await page.locator('hero-speech [data-lit]').count()).toBe(0);
    });

    test('serves the licence of the engine and the way to its source beside it', async () => {
      const notice = await (await fetch(`${address}/engine/NOTICE.txt`)).text();
      expect(notice).toContain('GNU General');
      expect(await (await fetch(`${address}/engine/LICENSE.txt`)).text()).toContain(
        'GNU GENERAL PUBLIC LICENSE',
      );
    });

    const texts = [
      'Every word knows its time.',
      'It costs $3.50, or so they say; the 7:45 train is late.',
      'Whether it rains, or the wind blows: we walk.',
      '今天天气很好，我们去公园。',
      'One. Two! Three?',
    ];
    test.each(texts)('has the words and times of the sandbox for “%s”', async (text) => {
      const page = await browser.open();
      await page.goto(`${address}/`);
      const spoken = page.evaluate(
        () =>
          new Promise<[string, number, number][]>((resolve) => {
            addEventListener('recited', (event) => resolve((event as CustomEvent).detail), { once: true });
          }),
      );
      await page.fill('#hero-text', text);
      await page.click('hero-speech button');
      const client = createSpeechClient({ apiKey: 'sandbox-key', baseUrl: browser.sandbox.url });
      const voice = /\p{Script=Han}/u.test(text) ? 'sandbox-mei' : 'sandbox-alba';
      const stream = await client.speech.streamWithTimestamps({
        text,
        reference_id: voice,
        format: 'wav',
        latency: 'low',
      });
      const { timeline } = await stream.collect();
      expect(await spoken).toEqual(timeline.segments.map(({ text, start, end }) => [text, start, end]));
    });
  },
);
