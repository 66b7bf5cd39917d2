import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Firefox, launchFirefox } from './testing/firefox.ts';
import { startSiteRelay } from './testing/site-relay.ts';
import { useBrowser } from './testing/use-browser.ts';

describe('the site in Firefox', () => {
  const browser = useBrowser();
  let firefox: Firefox;
  beforeAll(async () => {
    firefox = await launchFirefox();
  });
  afterAll(() => firefox?.close());

  /** Types a text where the page takes one, presses a button, and waits for the status that says how it ended. */
  async function press(path: string, button: string, outcome: RegExp, field = 'unused'): Promise<void> {
    const act = await firefox.open(browser.site.url + path);
    await expect
      .poll(() => act((name) => document.querySelector(`${name}:enabled`), button))
      .not.toBe('null');
    await act((name) => {
      const input = document.querySelector<HTMLInputElement>(name);
      if (input === null) return;
      input.value = 'Bread, butter and a pot of tea.';
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }, field);
    await act((name) => document.querySelector<HTMLElement>(name)?.click(), button);
    const status = () => act(() => document.querySelector('main [role="status"]')?.textContent.trim());
    await expect.poll(status, { timeout: 20_000 }).toMatch(outcome);
    expect(firefox.failures).toEqual([]);
  }

  test('the start page speaks', () => press('/', '.say button', /^Spoken by this page/, '#hero-text'));

  test('the playground speaks and times the words', () =>
    press('/playground/', '[data-ready] [data-speak]', /^Heard [\d.]+ s, 7 words/, 'textarea'));

  test('the live page speaks through a relay', async () => {
    const relay = await startSiteRelay(browser);
    onTestFinished(() => relay.close());
    browser.site.relayUrl = relay.url.replace('http', 'ws');
    await press('/playground/live/', '[data-ready] [type="submit"]', /All of it was heard/, 'textarea');
  });

  test('Run sends a request', () => press('/reference/create-speech/', '[data-run]', /^200 /));
});
