import type { Page } from 'playwright-core';
import type { BrowserUnderTest } from './use-browser.ts';

/** Opens the page of an operation, and waits until its request can be sent. */
export async function openOperation(browser: BrowserUnderTest, id: string, prepared?: Page): Promise<Page> {
  const page = prepared ?? (await browser.open());
  const slug = id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  await page.goto(`${browser.site.url}/reference/${slug}/`);
  if (id !== 'openLiveSession') await page.locator('[data-run]:enabled').waitFor();
  return page;
}

/** Sends the request. @returns the status that is shown when the answer is complete */
export async function pressRun(page: Page): Promise<string> {
  await page.locator('[data-run]').click();
  await page.locator('[data-run]', { hasText: /^Run$/ }).waitFor();
  return (await page.locator('[data-answer-status]').textContent()) ?? '';
}

/** What the buttons of the samples copy: TypeScript, curl, Python. */
export async function copiesOf(page: Page): Promise<string[]> {
  const buttons = page.locator('.samples [role="tabpanel"] [data-code]');
  const codes = await buttons.evaluateAll((all) => all.map((button) => button.getAttribute('data-code')));
  return codes.map((code) => code?.replaceAll('\u007f', '\n') ?? '');
}
