import type { RunningRelay } from '@speech-api/relay';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityProblems } from './testing/accessibility.ts';
import { openPlayground, waitForState } from './testing/playground.ts';
import { startSiteRelay } from './testing/site-relay.ts';
import { useBrowser } from './testing/use-browser.ts';

const sentence = 'Good morning, the tide comes in at seven.';

describe('the live page in Chromium', () => {
  const browser = useBrowser();
  let relay: RunningRelay;

  const start = (port?: number): Promise<RunningRelay> => startSiteRelay(browser, port);
  const socketOf = ({ url }: RunningRelay): string => url.replace('http', 'ws');

  beforeAll(async () => {
    relay = await start();
  });
  afterAll(() => relay?.close());
  beforeEach(() => {
    browser.site.relayUrl = socketOf(relay);
  });

  const open = () => openPlayground(browser, 'live/');
  const status = (page: Page) => page.textContent('[data-status]');
  const figure = async (page: Page, name: string): Promise<string> =>
    (await page.textContent(`[data-figure="${name}"]`)) ?? '';
  const numberIn = async (page: Page, name: string): Promise<number> =>
    Number.parseFloat(await figure(page, name));
  const paste = (page: Page, pasted: string) =>
    page.evaluate((text) => {
      const field = document.querySelector('textarea');
      if (field === null) return;
      field.value = text;
      field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }));
    }, pasted);
  const heardToTheEnd = (page: Page) => page.getByText('All of it was heard.').waitFor();

  test('speaks a clause while the next one is still being typed, and says how soon', async () => {
    const page = await open();
    expect(await status(page)).toContain(`the relay at ${new URL(relay.url).host}`);
    expect(await status(page)).toContain(`the sandbox at ${new URL(browser.sandbox.url).host}`);
    await page.focus('textarea');
    await page.keyboard.type('Good morning, the tide');
    await expect.poll(() => numberIn(page, 'heard')).toBeGreaterThan(0.2);
    expect(await figure(page, 'first')).toMatch(/^\d+ ms, new socket$/);
    // The reader can still change the text after the comma.
    expect(await figure(page, 'sent')).toBe('14 characters');
    expect(await page.textContent('[data-mark="sent"]')).toBe('Good morning, ');
    await page.keyboard.type(' comes in at seven');
    await page.keyboard.press('Enter');
    await heardToTheEnd(page);
    expect(await figure(page, 'sent')).toBe('41 characters');
    expect(await numberIn(page, 'waiting')).toBe(0);
    expect(await numberIn(page, 'heard')).toBeGreaterThan(1.5);
    // The next utterance uses the same socket.
    await page.keyboard.type('And again.');
    await page.keyboard.press('Enter');
    await expect.poll(() => figure(page, 'first')).toContain('same socket');
  });

  test('speaks a long text that was pasted, and holds back what nobody would hear yet', async () => {
    const page = await open();
    await page.focus('textarea');
    await paste(page, `${sentence} `.repeat(100));
    await expect.poll(() => numberIn(page, 'heard')).toBeGreaterThan(3);
    // Text waits while enough sound is ahead.
    await expect.poll(() => page.locator('[data-mark="waiting"]').count()).toBe(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await waitForState(page, 'stopped');
    // Sent and waiting text are struck through as one piece.
    expect(await page.locator('[data-mark="unheard"]').count()).toBe(1);
  });

  test('speaks what a language model writes token by token', async () => {
    const page = await open();
    await page.click('[data-model]');
    await expect.poll(() => numberIn(page, 'heard')).toBeGreaterThan(0.5);
    await expect.poll(() => page.inputValue('textarea')).toContain('ever sand.\n');
    await page.keyboard.press('Escape');
    await waitForState(page, 'stopped');
  });

  test('falls silent at Stop, says what was heard, strikes the rest, and goes on with what comes next', async () => {
    const page = await open();
    await page.focus('textarea');
    // The text is unfinished, so the service cannot have finished either, and the socket must close.
    await page.keyboard.type(`${sentence} The boats leave at half past six, and nobody waits for them. `);
    await expect.poll(() => numberIn(page, 'heard')).toBeGreaterThan(0.8);
    await page.keyboard.press('Escape');
    await waitForState(page, 'stopped');
    const text = (await status(page)) ?? '';
    expect(text).toMatch(/^Stopped after \d\.\d s\. Heard, by estimate, up to “.+”\.$/);
    expect(Number(/after ([\d.]+) s/.exec(text)?.[1])).toBeGreaterThan(0.7);
    expect(await page.textContent('[data-mark="unheard"]')).toContain('nobody waits for them.');
    expect(await page.textContent('[data-mark="sent"]')).toMatch(/^Good/);
    expect(await figure(page, 'heard')).toBe(/[\d.]+ s/.exec(text)?.[0]);
    await page.keyboard.type('Then not. ');
    await page.keyboard.press('Enter');
    await heardToTheEnd(page);
    expect(await figure(page, 'first')).toContain('new socket');
  });

  test('says which command starts a relay where none answers, and keeps what was typed', async () => {
    browser.site.relayUrl = undefined;
    const page = await open();
    expect(await status(page)).toContain('npm start');
    const late = await start();
    const address = socketOf(late);
    await late.close();
    await page.click('[data-connection] summary');
    await page.fill('[data-base-url]', address);
    await page.fill('textarea', sentence);
    await page.press('textarea', 'Enter');
    await waitForState(page, 'failed');
    expect(await page.textContent('[data-problem] strong')).toBe(`No relay answers at ${address}`);
    expect(await page.textContent('[data-problem] code')).toBe('npm start');
    expect(await accessibilityProblems(page)).toEqual([]);
    const started = await start(Number(new URL(address).port));
    await page.press('textarea', 'Enter');
    await heardToTheEnd(page);
    expect(await page.isVisible('[data-problem]')).toBe(false);
    await started.close();
  });
});
