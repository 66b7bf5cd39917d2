import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityProblems } from './testing/accessibility.ts';
import { missingChromium } from './testing/chromium.ts';
import {
  download,
  litCount,
  litWords,
  openIsland,
  waitForLit,
  waitForState,
  waitForWords,
  watchWords,
} from './testing/playground.ts';
import { readCaptions } from './testing/read-captions.ts';
import { screens } from './testing/screens.ts';
import { useBrowser } from './testing/use-browser.ts';

const lines = [
  { speaker: 0, text: 'Is the tea hot?' },
  { speaker: 1, text: 'Too hot to drink.' },
  { speaker: 0, text: 'Then we wait.' },
];
const words = lines.map(({ text }) => text.replace(/[.?]/g, '').split(' '));

describe.skipIf(missingChromium)(
  `the dialogue in Chromium${missingChromium ? ` (${missingChromium})` : ''}`,
  () => {
    const browser = useBrowser();

    /** Opens the page with the lines above in place of those it begins with. */
    async function open(options: Parameters<typeof browser.open>[0] = {}): Promise<Page> {
      const page = await browser.open(options);
      await openIsland(page, browser.site.url, 'dialogue');
      await page.getByRole('button', { name: 'Remove line 4' }).click();
      for (const [index, { text }] of lines.entries())
        await page.locator('.line textarea').nth(index).fill(text);
      return page;
    }

    test('plays the lines in order, each word lit on its card, in the lane of its speaker and on the tape', async () => {
      browser.site.sandboxUrl = browser.proxy.url;
      const page = await open();
      await watchWords(page);
      await page.click('[data-speak]');
      await waitForState(page, 'done');
      const [body = ''] = browser.proxy.bodies;
      expect(JSON.parse(body)).toMatchObject({
        text: '<|speaker:0|>Is the tea hot?\n<|speaker:1|>Too hot to drink.\n<|speaker:0|>Then we wait.',
        reference_id: ['sandbox-alba', 'sandbox-blake'],
      });
      const lit = await litWords(page);
      expect(lit.length).toBeGreaterThan(words.flat().length / 2);
      for (const [place, word] of lit.entries()) {
        expect(word.index).toBeGreaterThan(lit[place - 1]?.index ?? -1);
        expect(word.text, 'the timeline has the words of the lines').toBe(words.flat()[word.index]);
        const line = words.findIndex((_, index) => word.index < words.slice(0, index + 1).flat().length);
        const speaker = lines[line]?.speaker;
        expect(word.page).toBe(line);
        expect(word.litInText).toEqual([word.text]);
        expect(word.litPlaces).toEqual([`line ${line}`, `speaker ${speaker}`, `row ${speaker}`]);
        expect(word.position).toBeGreaterThanOrEqual(word.start);
      }
      expect(await page.locator('.composer [data-lit]').count()).toBe(0);
      const captions = readCaptions(await readFile(await download(page, '[data-save="vtt"]'), 'utf8'));
      expect(captions.map(({ text }) => text).join(' ')).toBe(lines.map(({ text }) => text).join(' '));
    });

    test('goes on from a word of any line that is clicked on the tape', async () => {
      // The lines that the page begins with. Once all is heard, all of it is decoded: any word can be gone on from.
      const page = await browser.open();
      await openIsland(page, browser.site.url, 'dialogue');
      await watchWords(page);
      await page.click('[data-speak]');
      await waitForState(page, 'done');
      const since = await litCount(page);
      expect(since).toBeGreaterThan(4);
      await page.locator('[data-tape] i').filter({ hasText: 'Every' }).click();
      await waitForWords(page, since + 1);
      await waitForState(page, 'done');
      const after = (await litWords(page)).slice(since).map(({ page: line }) => line);
      expect(after).toEqual(after.map(() => 3));
    });

    test('is written by the keyboard alone: lines and speakers come, move and go, and the focus is led on', async () => {
      const page = await open();
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
      const press = async (name: string) => {
        await page.getByRole('button', { name, exact: true }).focus();
        await page.keyboard.press('Enter');
      };
      const texts = () =>
        page
          .locator('.line textarea')
          .evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value));
      await press('Move line 2 up');
      expect(await texts()).toEqual(['Too hot to drink.', 'Is the tea hot?', 'Then we wait.']);
      expect(await focused()).toBe('Move line 1 down');
      expect(await page.textContent('[data-status]')).toBe('Line 2 is line 1 now.');
      await press('Remove line 3');
      expect(await focused()).toBe('What speaker 0 says, line 2');
      await press('Add a speaker');
      expect(await focused()).toBe('Voice of speaker 2');
      expect(await page.locator('[data-voice]').nth(2).inputValue()).toBe('sandbox-cleo');
      await press('Add a line of speaker 2');
      expect(await focused()).toBe('What speaker 2 says, line 3');
      await page.keyboard.type('And me?');
      await page.getByRole('combobox', { name: 'Speaker of line 2' }).selectOption('2');
      await page.click('[data-tab="request"]');
      const request = page.locator('[data-code="request"]');
      await request.filter({ hasText: '<|speaker:2|>Is the tea hot?' }).waitFor();
      await press('Remove speaker 1 and its lines');
      expect(await focused()).toBe('Voice of speaker 1');
      expect(await texts()).toEqual(['Is the tea hot?', 'And me?']);
      await request.filter({ hasText: '<|speaker:1|>And me?' }).waitFor();
      await page.getByRole('textbox', { name: 'line 2' }).focus();
      await page.keyboard.press('Control+Enter');
      await waitForState(page, 'done');
    });

    test('says what is wrong: nothing to say, no sandbox, another key', async () => {
      const page = await open();
      for (const text of await page.locator('.line textarea').all()) await text.fill(' ');
      await page.click('[data-speak]');
      expect(await page.textContent('[data-problem] strong')).toBe('There is nothing to say');
      await page.locator('.line textarea').first().fill('Hello.');
      await page.click('[data-connection] summary');
      await page.fill('[data-key]', 'not-a-key');
      await page.click('[data-speak]');
      await waitForState(page, 'failed');
      expect(await page.textContent('[data-problem] strong')).toBe('The key was refused');
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.fill('[data-base-url]', 'http://127.0.0.1:9');
      await page.click('[data-speak]');
      await page.getByText('No sandbox answers at http://127.0.0.1:9').first().waitFor();
      await page.getByText('Press Play').or(page.getByText('press Play')).first().waitFor();
    });

    for (const [name, options] of Object.entries(screens)) {
      test(`is pictured while the second speaker is heard (${name})`, async () => {
        const page = await open({ ...options, deviceScaleFactor: 2 });
        await watchWords(page);
        await page.click('[data-speak]');
        await waitForLit(page, 4, 7);
        await browser.picture(page, `dialogue-${name}`, true);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow).toBe(0);
      });
    }
  },
);
