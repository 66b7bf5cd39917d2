import transcripts from '@speech-api/spec/transcripts.json' with { type: 'json' };
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityProblems } from './testing/accessibility.ts';
import { missingChromium } from './testing/chromium.ts';
import { openIsland } from './testing/playground.ts';
import { screens } from './testing/screens.ts';
import { useBrowser } from './testing/use-browser.ts';
import { takeLit, watchLit } from './testing/watch-lit.ts';

describe.skipIf(missingChromium)(
  `the stream lab in Chromium${missingChromium ? ` (${missingChromium})` : ''}`,
  () => {
    const browser = useBrowser();

    async function open(
      transcript = 'one-chunk',
      options: Parameters<typeof browser.open>[0] = {},
    ): Promise<Page> {
      const page = await browser.open(options);
      await openIsland(page, browser.site.url, 'stream-lab');
      await page.selectOption('[data-transcript]', transcript);
      const { about } = (transcripts as Record<string, { about?: string }[]>)[transcript]?.[0] ?? {};
      await page.getByText(about ?? 'no such transcript').waitFor();
      return page;
    }

    const said = (page: Page) => page.locator('[data-said]').textContent();
    const words = (page: Page) =>
      page
        .locator('.snapshot li:not([data-gone])')
        .evaluateAll((items) => items.map((item) => item.firstChild?.textContent));

    test('steps through a stream: audio is appended, snapshots replaced, left by null and repeated', async () => {
      const page = await open('null-after-a-snapshot');
      const bytes = async () =>
        Number.parseInt(((await page.textContent('[data-bytes]')) ?? '').replaceAll(',', ''), 10);
      const on = page.getByRole('button', { name: 'One event on' });
      expect(await said(page)).toContain('there is no snapshot of chunk 0 yet');
      expect(await words(page)).toEqual([]);
      const first = await bytes();
      await on.click();
      expect(await said(page)).toContain('brings the first snapshot of chunk 0, with 1 segment');
      expect(await words(page)).toEqual(['Good']);
      await on.click();
      expect(await said(page)).toContain('the snapshot of chunk 0 stays as it is');
      expect(await page.textContent('.snapshot .mark')).toBe('unchanged by null');
      expect(await words(page)).toEqual(['Good']);
      expect(await bytes(), 'audio counts without alignment, too').toBeGreaterThan(first * 2.9);
      await on.click();
      expect(await said(page)).toContain('1 segment before, 2 now. Nothing is appended.');
      expect(await words(page)).toEqual(['Good', 'morning']);
      await page.selectOption('[data-transcript]', 'repeated-snapshots');
      await page.getByText('Each snapshot arrives three times').waitFor();
      await on.click();
      expect(await page.textContent('.snapshot .mark')).toBe('repeated');
      expect(await words(page)).toEqual(['Good']);
    });

    test('goes back and forth by the keyboard, and shows what there was then', async () => {
      const page = await open();
      const scrubber = page.getByRole('slider', { name: 'Event', exact: true });
      await scrubber.focus();
      await page.keyboard.press('End');
      expect(await said(page)).toBe('The body ended cleanly after 5 events: all of it has arrived.');
      expect(await words(page)).toEqual(['Good', 'morning', 'Anna']);
      for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowLeft');
      expect(await scrubber.getAttribute('aria-valuetext')).toBe('Event 2 of 5');
      expect(await words(page)).toEqual(['Good']);
      await page.keyboard.press('Home');
      expect(await said(page)).toBe('Nothing has arrived yet.');
      expect(await page.textContent('[data-bytes]')).toMatch(/^0 of /);
      // A button at its end keeps the focus and does nothing.
      await page.getByRole('button', { name: 'One event back' }).focus();
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => document.activeElement?.getAttribute('data-go'))).toBe('back');
      await page.getByRole('button', { name: 'Event 4' }).click();
      expect(await page.textContent('[data-place]')).toBe('Event 4 of 5');
    });

    test('plays to the end by itself, quietly for a screen reader, and pauses', async () => {
      // Of nine events the second stands long before the last, however busy the machine is.
      const page = await open('repeated-snapshots');
      await page.getByRole('button', { name: 'Play' }).click();
      await page.locator('.island[data-position="2"]').waitFor();
      expect(await page.getAttribute('[data-said]', 'aria-live')).toBe('off');
      await page.getByRole('button', { name: 'Pause' }).click();
      expect(await page.getAttribute('[data-said]', 'aria-live')).toBe('polite');
      await page.getByRole('button', { name: 'Event 8' }).click();
      await page.getByRole('button', { name: 'Play' }).click();
      await page.locator('.island[data-state="clean"]').waitFor();
      await page.getByRole('button', { name: 'Play' }).waitFor();
    });

    test('says of a cut stream that it is broken and what there is of it, and plays that', async () => {
      const page = await open('cut-in-the-middle');
      await page.getByRole('button', { name: 'To the end' }).click();
      await page.locator('.island[data-state="broken"]').waitFor();
      expect(await said(page)).toMatch(
        /^The body broke off after 2 events: .*is kept and can be heard.*never as complete\.$/,
      );
      expect(await page.isVisible('[data-rule="body-ends-cleanly"]')).toBe(true);
      await browser.picture(page, 'stream-lab-cut', true);
      await watchLit(page);
      await page.getByRole('button', { name: 'Hear what has arrived' }).click();
      await expect.poll(() => takeLit(page)).toContain('Good');
      await page.getByRole('button', { name: 'Hear what has arrived' }).waitFor();
      await page.click('[data-tab="typescript"]');
      await page
        .locator('[data-code="typescript"]', { hasText: "throw new Error('the connection was closed')" })
        .waitFor();
    });

    test('says what is out of order, and which rules that breaks', async () => {
      const page = await open('out-of-order');
      await page.getByRole('button', { name: 'Event 3' }).click();
      expect(await said(page)).toContain('chunk_seq goes back from 1 to 0.');
      expect(await page.locator('[data-rule]:visible').count()).toBe(4);
      expect(await page.locator('.snapshot [data-gone]').textContent()).toContain('Anna');
      expect(await accessibilityProblems(page)).toEqual([]);
    });

    test('shows the event, the timeline and the commands, and every recording can be fetched', async () => {
      const page = await open('two-chunks-balanced');
      await page.getByRole('button', { name: 'Event 6' }).click();
      const event = JSON.parse((await page.textContent('[data-code="event"]')) ?? '');
      expect(event.chunk_seq).toBe(1);
      await page.click('[data-tab="timeline"]');
      const { segments } = JSON.parse((await page.textContent('[data-code="timeline"]')) ?? '');
      expect(segments.at(-1).start).toBeGreaterThan(event.chunk_audio_offset_sec);
      const commands = (await page.textContent('[data-code="curl"]')) ?? '';
      expect(commands).toContain(`curl --silent ${browser.site.url}/transcripts/two-chunks-balanced.jsonl`);
      expect(commands).toContain('/v1/tts/stream/with-timestamp');
      for (const [name, lines] of Object.entries(transcripts)) {
        const file = await (await fetch(`${browser.site.url}/transcripts/${name}.jsonl`)).text();
        expect(
          file
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
        ).toEqual(lines);
      }
    });

    for (const [name, options] of Object.entries(screens)) {
      test(`is pictured in the middle of a stream (${name})`, async () => {
        const page = await open('two-chunks-balanced', { ...options, deviceScaleFactor: 2 });
        await page.getByRole('button', { name: 'Event 6' }).click();
        await page.evaluate(() => scrollTo(0, 0));
        await browser.picture(page, `stream-lab-${name}`, true);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow).toBe(0);
      });
    }
  },
);
