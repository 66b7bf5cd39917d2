import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { complete } from '@speech-api/config/suite';
import { closeServer, listenOnLoopback } from '@speech-api/run/servers';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser } from './testing/use-browser.ts';

const pages = {
  start: '/',
  operation: '/reference/create-speech/',
  guide: '/guides/timestamps/',
  ...(complete && {
    playground: '/playground/',
    reference: '/reference/',
    unknowns: '/unknowns/',
  }),
};

const screens: Readonly<Record<string, BrowserContextOptions>> = {
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  wide: { colorScheme: 'dark', viewport: { width: 1920, height: 1080 } },
  ...(complete && { light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' } }),
};

/** Keeps what moves by itself after it was shown. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

async function shiftOf(page: Page): Promise<number> {
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  return shifts.reduce((sum, value) => sum + value, 0);
}

describe('the site in Chromium', () => {
  const browser = useBrowser();

  for (const [name, path] of Object.entries(pages)) {
    test(`shows ${name} from phone to wide without moving what was already shown`, async () => {
      for (const [screen, options] of Object.entries(screens)) {
        const page = await browser.open({ ...options, reducedMotion: 'reduce' });
        await watchShifts(page);
        await page.goto(browser.site.url + path, { waitUntil: 'networkidle' });
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        await browser.picture(page, `page-${name}-${screen}`);
        expect(await shiftOf(page), `${name} on ${screen}: layout shift`).toBeLessThan(0.02);
        const moving = await page.evaluate(() => document.getAnimations().length);
        expect(moving, 'animations where motion is unwanted').toBe(0);
        await page.close();
      }
    });
  }

  test('moves nothing on the start page that is painted while it still arrives, with fonts that come late', async () => {
    const html = await (await fetch(`${browser.site.url}/`)).text();
    const page = await browser.open({ reducedMotion: 'reduce' });
    await watchShifts(page);
    const slow = createServer(async (request, response) => {
      if (request.url === '/') {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
        for (let at = 0; at < html.length; at += 1000) {
          response.write(html.slice(at, at + 1000));
          await delay(20);
        }
        response.end();
        return;
      }
      if (request.url?.endsWith('.woff2')) await delay(160);
      const answer = await fetch(browser.site.url + request.url);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(new Uint8Array(await answer.arrayBuffer()));
    });
    const port = await listenOnLoopback(slow, 0);
    await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'networkidle' });
    const shift = await shiftOf(page);
    await page.close();
    await closeServer(slow);
    expect(shift).toBeLessThan(0.005);
  });

  test('remembers the runtime that was chosen, on the pages of the reference too, and moves nothing for it', async () => {
    const page = await browser.open();
    await page.goto(`${browser.site.url}/guides/wallet/`);
    await page.getByRole('tab', { name: 'curl' }).click();
    await page.goto(`${browser.site.url}/guides/speech/`);
    const guide = page.getByRole('tab', { name: 'curl' }).first();
    expect(await guide.getAttribute('aria-selected')).toBe('true');
    await watchShifts(page);
    await page.goto(`${browser.site.url}/reference/create-speech/`, { waitUntil: 'networkidle' });
    const reference = page.getByRole('tab', { name: 'curl' }).first();
    expect(await reference.getAttribute('aria-selected')).toBe('true');
    expect(await shiftOf(page)).toBeLessThan(0.02);
  });

  test('shows in the list of pages where the reader is, however long it is', async () => {
    const page = await browser.open();
    await page.goto(`${browser.site.url}/typescript/types/`);
    const place = () =>
      page.locator('.sidebar-pane a[aria-current="page"]').evaluate((link) => {
        const { top, bottom } = link.getBoundingClientRect();
        return top > 0 && bottom <= innerHeight;
      });
    await expect.poll(place).toBe(true);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  test('lets the keyboard reach everything of the playground, in the order it is read', async () => {
    const page = await browser.open();
    await page.goto(`${browser.site.url}/playground/`);
    await page.locator('speech-playground[data-ready]').waitFor();
    await page.focus('textarea');
    const reached: string[] = [];
    for (let step = 0; step < 14; step += 1) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(() => {
          const focused = document.activeElement;
          const name = focused?.getAttribute('name') ?? focused?.getAttribute('aria-label');
          // A name may be followed by a key or an address.
          const words = [...(focused?.childNodes ?? [])].filter(
            ({ nodeType }) => nodeType === Node.TEXT_NODE,
          );
          return (
            name ??
            words
              .map(({ textContent }) => textContent)
              .join('')
              .trim()
          );
        }),
      );
    }
    expect(reached.slice(0, 13)).toEqual([
      'Place in the audio, by word',
      'Speak',
      'voice',
      'model',
      'format',
      'latency',
      'sample_rate',
      'bitrate',
      'speed',
      'volume',
      'temperature',
      'Connection',
      'TypeScript',
    ]);
    await page.focus('[data-tab="typescript"]');
    await page.keyboard.press('ArrowRight');
    expect(await page.getAttribute('[data-tab="curl"]', 'aria-selected')).toBe('true');
    expect(await page.isVisible('#evidence-curl')).toBe(true);
    expect(await page.isVisible('#evidence-typescript')).toBe(false);
  });
});
