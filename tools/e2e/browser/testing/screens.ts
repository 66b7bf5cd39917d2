import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { BrowserUnderTest } from './use-browser.ts';

/** The screens every picture is taken on. */
export const screens = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  wide: { colorScheme: 'dark', viewport: { width: 1920, height: 1080 } },
} as const;

/** Pictures a page on each screen, as it is: one page that is resized. Nothing may lie past the edge. */
export async function pictureEach(browser: BrowserUnderTest, page: Page, name: string): Promise<void> {
  for (const [screen, { viewport, colorScheme }] of Object.entries(screens)) {
    await page.setViewportSize(viewport);
    await page.evaluate((scheme) => {
      document.documentElement.dataset.theme = scheme;
    }, colorScheme);
    await browser.picture(page, `${name}-${screen}`, true);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${name} on ${screen}: pixels past the edge`).toBe(0);
  }
}
