import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { silentAddress } from './testing/free-port.ts';
import { openPlayground, waitForState } from './testing/playground.ts';
import { useBrowser } from './testing/use-browser.ts';

const sentence = 'Bread, butter and a pot of tea.';

describe('the settings of the playground in Chromium', () => {
  const browser = useBrowser();

  async function speak(page: Page, text: string): Promise<void> {
    await page.fill('textarea', text);
    await page.click('[data-speak]');
  }

  test('offers the bitrates of the format, and sends the one that is chosen', async () => {
    browser.site.sandboxUrl = browser.proxy.url;
    const page = await openPlayground(browser);
    const offered = () =>
      page
        .locator('[name="bitrate"] option:not([disabled])')
        .evaluateAll((all) => all.map((one) => one.textContent));
    expect(await offered()).toEqual(['of the format', '64 kbit/s', '128 kbit/s', '192 kbit/s']);
    await page.selectOption('[name="bitrate"]', '192');
    await page.selectOption('[name="format"]', 'opus');
    expect(await page.inputValue('[name="bitrate"]')).toBe('');
    expect(await offered()).toContain('automatic');
    await page.selectOption('[name="bitrate"]', '24000');
    await page.fill('textarea', sentence);
    await page.press('textarea', 'Control+Enter');
    await waitForState(page, 'done');
    expect(JSON.parse(browser.proxy.bodies[0] ?? '')).toMatchObject({
      format: 'opus',
      opus_bitrate: 24_000,
    });
    expect(new URL(page.url()).searchParams.get('bitrate')).toBe('24000');
    await page.selectOption('[name="format"]', 'wav');
    expect(await page.isDisabled('[name="bitrate"]')).toBe(true);
  });

  test('offers no voices of a connection that was changed before they were listed', async () => {
    const authorization = 'Bearer sandbox-key';
    const listed = await fetch(`${browser.sandbox.url}/model?page_size=1`, { headers: { authorization } });
    const { items } = (await listed.json()) as { readonly items: readonly object[] };
    const page = await openPlayground(browser);
    const answers = new Map<string, () => Promise<void>>();
    await page.route('https://*.invalid/model?**', (route) => {
      const { hostname } = new URL(route.request().url());
      const voice = { ...items[0], _id: hostname, title: hostname, languages: [] };
      const headers = { 'access-control-allow-origin': '*' };
      answers.set(hostname, () => route.fulfill({ headers, json: { total: 1, items: [voice] } }));
    });
    await page.click('[data-connection] summary');
    for (const name of ['old.invalid', 'new.invalid']) {
      await page.fill('[data-base-url]', `https://${name}`);
      await page.focus('[name="voice"]');
      await expect.poll(() => [...answers.keys()]).toContain(name);
    }
    await page.evaluate(() => {
      const offered: string[] = [];
      Object.assign(window, { offered });
      new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
          offered.push(node.textContent ?? '');
      }).observe(document.querySelector('[name="voice"]') as Element, { childList: true });
    });
    for (const name of ['old.invalid', 'new.invalid']) {
      const answered = page.waitForResponse(`https://${name}/**`);
      await answers.get(name)?.();
      await (await answered).finished();
    }
    await expect.poll(() => page.inputValue('[name="voice"]')).toBe('new.invalid');
    expect(await page.evaluate(() => (window as unknown as { offered: string[] }).offered)).toEqual([
      'new.invalid',
    ]);
  });

  test('says that a text is too long when it is entered, in characters, and takes it back', async () => {
    const page = await openPlayground(browser);
    const problem = page.locator('[data-problem]');
    await page.fill('textarea', '𝄞'.repeat(100_000));
    expect(await problem.isVisible()).toBe(false);
    await page.fill('textarea', '𝄞'.repeat(100_025));
    expect(await problem.textContent()).toContain('It has 100,025 characters, 25 more than the 100,000');
    await page.fill('textarea', sentence);
    expect(await problem.isVisible()).toBe(false);
  });

  test('tells a machine that is offline from a service that does not answer', async () => {
    const page = await openPlayground(browser);
    await page.click('[data-connection] summary');
    await page.fill('[data-base-url]', 'https://speech.invalid');
    await page.fill('textarea', sentence);
    await page.click('[data-speak]');
    await waitForState(page, 'failed');
    expect(await page.textContent('[data-problem]')).toContain('No answer from https://speech.invalid');
    await page.context().setOffline(true);
    await page.click('[data-speak]');
    await waitForState(page, 'failed');
    expect(await page.textContent('[data-problem] strong')).toBe('This machine is offline');
    // A sandbox on this machine needs no network: its silence has another reason.
    await page.fill('[data-base-url]', await silentAddress());
    await page.click('[data-speak]');
    await waitForState(page, 'failed');
    expect(await page.textContent('[data-problem] strong')).toBe('This machine is offline');
    expect(await page.textContent('[data-problem]')).toContain('loaded when it is first used');
  });

  test('calls the keys by the names of the machine', async () => {
    const mac = await browser.open();
    await mac.addInitScript(() => Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }));
    await openPlayground(browser, '', mac);
    expect(await mac.textContent('[data-speak] kbd')).toMatch(/^⌘\sEnter$/);
    await mac.fill('textarea', 'Hello.');
    await mac.press('textarea', 'Meta+Enter');
    await waitForState(mac, 'done');
  });

  test('keeps its settings in the address, never the key, and a link with them speaks the same', async () => {
    browser.site.sandboxUrl = browser.proxy.url;
    const page = await openPlayground(browser);
    expect(new URL(page.url()).search).toBe('');
    await page.fill('textarea', sentence);
    await page.selectOption('[name="voice"]', 'sandbox-blake');
    await page.selectOption('[name="format"]', 'wav');
    await page.selectOption('[name="sample_rate"]', '16000');
    await page.locator('[name="volume"]').fill('-6');
    await page.locator('[name="temperature"]').fill('0.3');
    await page.click('[data-connection] summary');
    await page.fill('[data-key]', 'sandbox-other');
    await page.press('[data-key]', 'Tab');
    await page.fill('[data-key]', 'sandbox-key');
    await page.press('textarea', 'Control+Enter');
    await waitForState(page, 'done');
    expect(page.url()).not.toContain('key');
    const other = await browser.open();
    await other.goto(page.url());
    await other.locator('speech-playground[data-ready]').waitFor();
    await other.click('[data-speak]');
    await waitForState(other, 'done');
    const [first, second] = browser.proxy.bodies.map((body) => JSON.parse(body));
    expect(first).toMatchObject({
      text: sentence,
      reference_id: 'sandbox-blake',
      format: 'wav',
      sample_rate: 16_000,
      temperature: 0.3,
      prosody: { volume: -6 },
    });
    expect(second).toEqual(first);
  });

  test('says that the key was refused, and keeps the key to itself', async () => {
    const page = await openPlayground(browser);
    await page.click('[data-connection] summary');
    await page.fill('[data-key]', 'not-a-key');
    await speak(page, sentence);
    await waitForState(page, 'failed');
    const problem = (await page.textContent('[data-problem]')) ?? '';
    expect(problem).toContain('The key was refused');
    expect(problem).toContain('sandbox-key');
    await browser.picture(page, 'bad-key');
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
    expect(kept).not.toContain('not-a-key');
    expect(page.url()).not.toContain('not-a-key');
    // Neither in the text nor in any attribute: a field keeps what is typed to itself.
    expect(await page.content()).not.toContain('not-a-key');
    await page.getByRole('button', { name: 'Change the key' }).click();
    expect(await page.evaluate(() => document.activeElement?.matches('[data-key]'))).toBe(true);
  });

  test('accepts the sentence that the start page has spoken', async () => {
    const page = await browser.open();
    await page.goto(`${browser.site.url}/`);
    await page.fill('#hero-text', 'From the start page.');
    await page.press('#hero-text', 'Enter');
    await page.click('hero-speech [data-open]');
    await page.locator('speech-playground[data-ready]').waitFor();
    expect(await page.inputValue('textarea')).toBe('From the start page.');
    await page.keyboard.press('Enter');
    await waitForState(page, 'done');
  });
});
