import { readWavHeader } from '@speech-api/audio';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityProblems } from './testing/accessibility.ts';
import { expectInTime, expectNoneMissed } from './testing/expect-words.ts';
import { silentAddress } from './testing/free-port.ts';
import {
  download,
  litCount,
  litWords,
  openPlayground,
  waitForLit,
  waitForState,
  waitForWords,
  watchWords,
} from './testing/playground.ts';
import { readCaptions } from './testing/read-captions.ts';
import { useBrowser } from './testing/use-browser.ts';

const sentence = 'Bread, butter and a pot of tea.';
const words = ['Bread', 'butter', 'and', 'a', 'pot', 'of', 'tea'];
const long =
  'The first sentence is heard while the others are still on their way. Then comes a second sentence, a little ' +
  'longer than the first one was. After it a third one, so that there is something left to send. And here it ends.';

describe('the playground in Chromium', () => {
  const browser = useBrowser();

  async function speak(page: Page, text: string, format?: string): Promise<void> {
    await page.fill('textarea', text);
    if (format) await page.selectOption('[name="format"]', format);
    await watchWords(page);
    await page.click('[data-speak]');
  }

  test('sounds and lights words while the rest of the stream is still held back', async () => {
    browser.site.sandboxUrl = browser.proxy.url;
    browser.proxy.holdAfter = 60_000;
    const page = await openPlayground(browser, '#speed=2');
    await speak(page, long);
    await waitForWords(page, 2);
    const received = Number(/\/ ([\d.]+)/.exec((await page.textContent('[data-clock]')) ?? '')?.[1]);
    browser.proxy.release();
    await waitForState(page, 'done');
    const seconds = Number(/Heard ([\d.]+) s/.exec((await page.textContent('[data-status]')) ?? '')?.[1]);
    expect(received).toBeLessThan(seconds - 2);
    await expectNoneMissed(page, long.replace(/[.,]/g, '').split(' '));
    await expectInTime(page);
  });

  test('speaks a dialogue with a voice for each speaker, and lights its words alone', async () => {
    browser.site.sandboxUrl = browser.proxy.url;
    const page = await openPlayground(browser);
    await page.getByRole('button', { name: 'Dialogue' }).click();
    const text = '<|speaker:0|>Is the tea hot?\n<|speaker:1|>Too hot to drink.';
    await speak(page, text);
    await waitForState(page, 'done');
    expect(JSON.parse(browser.proxy.bodies[0] ?? '')).toMatchObject({
      text,
      reference_id: ['sandbox-alba', 'sandbox-blake'],
    });
    await expectNoneMissed(page, ['Is', 'the', 'tea', 'hot', 'Too', 'hot', 'to', 'drink']);
    for (const { litInText } of await litWords(page)) expect(litInText).toHaveLength(1);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test('sends a text once, however often Speak is pressed before the answer', async () => {
    const page = await openPlayground(browser);
    await page.fill('textarea', sentence);
    let calls = 0;
    // These requests are never answered.
    await page.route('**/v1/tts/**', () => {
      calls += 1;
    });
    await page.dblclick('[data-speak]');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => calls).toBeGreaterThan(0);
    await page.click('[data-stop]');
    await waitForState(page, 'stopped');
    expect(calls).toBe(1);
  });

  test('falls silent at Stop, and gives the connection back', async () => {
    browser.site.sandboxUrl = browser.proxy.url;
    browser.proxy.holdAfter = 60_000;
    const page = await openPlayground(browser, '#speed=2');
    await speak(page, long);
    await waitForWords(page, 3);
    await page.click('[data-stop]');
    await waitForState(page, 'stopped');
    const { length } = await litWords(page);
    await expect.poll(() => browser.proxy.abandoned).toBe(1);
    expect(await litWords(page)).toHaveLength(length);
    expect(await page.isVisible('[data-problem]')).toBe(false);
  });

  test('goes on from the word that is clicked, in the text and on the tape', async () => {
    const page = await openPlayground(browser, '#speed=2');
    await speak(page, long);
    await waitForLit(page, 18, 40);
    let since = await litCount(page);
    await page.locator('[data-words] span').first().click();
    await waitForLit(page, 0, 16, since);
    // Playback is at the end, so a word before it is only heard after seeking back.
    await waitForState(page, 'done');
    since = await litCount(page);
    await page.locator('[data-tape] i').nth(36).click();
    await waitForLit(page, 36, 50, since);
    await waitForState(page, 'done');
    const indexes = (await litWords(page)).slice(since).map(({ index }) => index);
    expect(indexes.every((index) => index >= 36)).toBe(true);
    const lit = await litWords(page);
    for (const { text, litInText } of lit) expect(litInText).toEqual([text]);
  });

  test.each([1000, 10_000])(
    'keeps the lit word of a text of %d characters in sight',
    async (length) => {
      const page = await openPlayground(browser, '#speed=2');
      await page.fill('textarea', `${sentence}\n`.repeat(length / sentence.length));
      await page.click('[data-speak]');
      const distances: number[] = [];
      for (let reading = 1; reading <= 10; reading += 1) {
        // Seconds of words are left behind the last of these.
        const word = page.locator('[data-tape] i').nth(18 * reading);
        await word.waitFor({ state: 'attached', timeout: 60_000 });
        await word.evaluate((mark) => {
          const { left, width } = mark.getBoundingClientRect();
          mark.dispatchEvent(new PointerEvent('click', { clientX: left + width / 2, bubbles: true }));
        });
        const distance = await page.waitForFunction(() => {
          const lit = document.querySelector('[data-words] [data-lit]')?.getBoundingClientRect();
          const paper = document.querySelector('[data-paper]')?.getBoundingClientRect();
          return lit && paper && { inside: Math.min(lit.top - paper.top, paper.bottom - lit.bottom) };
        });
        distances.push((await distance.evaluate((value) => value?.inside)) ?? Number.NaN);
      }
      expect(distances.map((distance) => distance >= 0)).toEqual(distances.map(() => true));
    },
    300_000,
  );

  test('goes on from a word by the keyboard alone, and says where it is', async () => {
    const page = await openPlayground(browser);
    await speak(page, sentence);
    await waitForState(page, 'done');
    const tape = page.getByRole('slider', { name: 'Place in the audio' });
    await tape.focus();
    expect(await tape.getAttribute('aria-valuetext')).toContain('“tea”');
    let since = await litCount(page);
    await page.keyboard.press('Home');
    await waitForLit(page, 0, 4, since);
    await waitForState(page, 'done');
    since = await litCount(page);
    await page.keyboard.press('ArrowLeft');
    await waitForLit(page, 5, 6, since);
    expect(await tape.getAttribute('aria-valuetext')).toMatch(/^“of”, [\d.]+ of [\d.]+ seconds$/);
  });

  test('lights each word in order and in time, and saves audio and captions', async () => {
    const page = await openPlayground(browser);
    await speak(page, sentence, 'wav');
    await waitForState(page, 'done');
    await expectNoneMissed(page, words);
    await expectInTime(page);
    expect(await page.locator('[data-words] [data-lit]').count()).toBe(0);
    expect(await page.textContent('[data-status]')).toContain('7 words');
    const wav = new Uint8Array(await download(page, '[data-save="audio"]'));
    // The sizes in the header are correct, because this is a file and not a stream.
    expect(readWavHeader(wav)?.dataOffset).toBe(44);
    expect(new DataView(wav.buffer, wav.byteOffset).getUint32(40, true)).toBe(wav.length - 44);
    for (const kind of ['vtt', 'srt']) {
      const captions = readCaptions((await download(page, `[data-save="${kind}"]`)).toString());
      expect(captions.map(({ text }) => text).join(' ')).toBe(sentence);
      for (const [index, { start, end }] of captions.entries()) {
        expect(end).toBeGreaterThan(start);
        expect(start).toBeGreaterThanOrEqual(captions[index - 1]?.end ?? 0);
      }
    }
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test('speaks by itself when no sandbox answers, and says that it does', async () => {
    browser.site.sandboxUrl = await silentAddress();
    const page = await openPlayground(browser);
    expect(await page.textContent('[data-status]')).toContain('this page speaks by itself');
    await speak(page, sentence);
    await waitForState(page, 'speaking');
    expect(await page.textContent('[data-status]')).toContain('This page is speaking');
    await waitForState(page, 'done');
    await expectNoneMissed(page, words);
    await expectInTime(page);
    expect(await page.textContent('[data-status]')).toContain('without a server');
    expect(await page.textContent('[data-first-sound]')).toMatch(/^first sound after \d+ ms$/);
  });

  test('pauses and goes on, and plays again without another call, by the button and by the space bar', async () => {
    browser.site.sandboxUrl = browser.proxy.url;
    const page = await openPlayground(browser, '#speed=2');
    await speak(page, long);
    await waitForWords(page, 3);
    await page.getByRole('button', { name: 'Pause' }).click();
    await waitForState(page, 'paused');
    const position = () =>
      page.evaluate(
        () => document.querySelector<HTMLElement & { readonly position: number }>('.island')?.position,
      );
    const paused = await position();
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    expect(await position()).toBe(paused);
    await page.getByRole('button', { name: 'Resume' }).click();
    await waitForState(page, 'speaking');
    await page.locator('h1').click();
    await page.keyboard.press('Space');
    await waitForState(page, 'paused');
    await page.keyboard.press('Space');
    await waitForState(page, 'done');
    const since = await litCount(page);
    await page.getByRole('button', { name: 'Play again' }).click();
    await waitForLit(page, 0, 40, since);
    expect(browser.proxy.bodies).toHaveLength(1);
    // In the text, the space key types a space.
    await page.locator('[data-stop]').click();
    await page.focus('textarea');
    await page.keyboard.press('Space');
    expect(await page.getAttribute('.island', 'data-state')).not.toBe('speaking');
  });

  test('plays what had arrived of a stream that breaks off, and says that it broke', async () => {
    browser.site.sandboxUrl = browser.proxy.url;
    browser.proxy.holdAfter = 60_000;
    const page = await openPlayground(browser, '#speed=2');
    await speak(page, long);
    await waitForWords(page, 4);
    browser.proxy.breakOff();
    await waitForState(page, 'failed');
    expect(await page.textContent('[data-problem] strong')).toMatch(/^The stream broke off after \d+\.\d s$/);
    await expectInTime(page);
    expect(await page.isEnabled('[data-save="audio"]')).toBe(true);
  });

  test('keeps its settings in the address, never the key, and a link with them speaks the same', async () => {
    browser.site.sandboxUrl = browser.proxy.url;
    const page = await openPlayground(browser);
    expect(new URL(page.url()).search).toBe('');
    await page.fill('textarea', sentence);
    await page.fill('[name="voice"]', 'sandbox-blake');
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
    // The fragment is never sent to the host of the page.
    expect(new URL(page.url()).search).toBe('');
    const tab = await browser.open();
    await tab.goto(page.url());
    await tab.locator('speech-playground[data-ready]').waitFor();
    await tab.click('[data-speak]');
    await waitForState(tab, 'done');
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
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
    expect(stored).not.toContain('not-a-key');
    expect(page.url()).not.toContain('not-a-key');
    // The key is neither in the text nor in any attribute.
    expect(await page.content()).not.toContain('not-a-key');
    await page.getByRole('button', { name: 'Change the key' }).click();
    expect(await page.evaluate(() => document.activeElement?.matches('[data-key]'))).toBe(true);
    await page.fill('[data-key]', 'sandbox-empty');
    await page.click('[data-speak]');
    await page.locator('[data-problem] a[href="/errors/#insufficientcrediterror"]').waitFor();
    expect(await page.textContent('[data-problem]')).toContain('402');
  });
});
