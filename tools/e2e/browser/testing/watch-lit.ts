import type { Page } from 'playwright-core';

/** Keeps the text of everything that is lit from now on, however short it is lit. */
export async function watchLit(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seenLit: seen });
    const observer = new MutationObserver((changes) => {
      for (const { target } of changes) {
        if (!(target instanceof HTMLElement) || target.dataset.lit === undefined) continue;
        // A word that is drawn anew while it is lit is lit once.
        if (seen.at(-1) !== target.textContent) seen.push(target.textContent);
      }
    });
    observer.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['data-lit'] });
  });
}

export function takeLit(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { seenLit: string[] }).seenLit.splice(0));
}
