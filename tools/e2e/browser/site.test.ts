import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser } from './testing/use-browser.ts';

const pages = { start: '/', operation: '/reference/create-speech/', guide: '/guides/timestamps/' };

const screens: Readonly<Record<string, BrowserContextOptions>> = {
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  wide: { colorScheme: 'dark', viewport: { width: 1920, height: 1080 } },
};

/** Records elements that move by themselves after they were shown. */
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
        expect(await shiftOf(page), `${name} on ${screen}: layout shift`).toBeLessThan(0.02);
        await page.emulateMedia({ media: 'print' });
        const tools = page.locator('site-search, starlight-theme-select, hear-it, api-run');
        expect(await tools.filter({ visible: true }).count()).toBe(0);
        await page.emulateMedia({ media: 'screen' });
        const moving = await page.evaluate(() => document.getAnimations().length);
        expect(moving, 'animations where motion is unwanted').toBe(0);
        await page.close();
      }
    });
  }

  test('lets the keyboard reach everything of the playground, in the order it is read', async () => {
    const page = await browser.open();
    await page.goto(`${browser.site.url}/playground/`);
    await page.locator('speech-playground[data-ready]').waitFor();
    await page.focus('textarea');
    const reached: string[] = [];
    for (let step = 0; step < 12; step += 1) {
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
    expect(reached).toEqual([
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
    ]);
  });
});
