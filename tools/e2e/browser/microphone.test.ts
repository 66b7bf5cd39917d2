import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openIsland, waitForState } from './testing/playground.ts';
import { sayAsWav } from './testing/say.ts';
import { useBrowser } from './testing/use-browser.ts';

const sentence = 'The ferry came in through the fog, and every mast of the harbour stood in the light.';
const words = sentence.replace(/[.,]/g, '').split(' ');
/** Seconds to record: the sentence, which the browser plays into its microphone over and over, at least once whole. */
const recordedSeconds = 11;

describe('the microphone in Chromium', () => {
  let folder = '';
  const browser = useBrowser({
    /** A microphone that hears what the sandbox says. */
    arguments: async (sandbox) => {
      folder = await mkdtemp(join(tmpdir(), 'microphone-'));
      const file = join(folder, 'said.wav');
      await writeFile(file, await sayAsWav(sandbox.url, sentence));
      return [
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-audio-capture=${file}`,
      ];
    },
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('is recorded, transcribed and told in captions', async () => {
    const page = await browser.open();
    await openIsland(page, browser.site.url, 'transcribe');
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await waitForState(page, 'recording');
    await page.waitForFunction(
      (least) => Number.parseFloat(document.querySelector('[data-clock]')?.textContent ?? '') >= least,
      recordedSeconds,
    );
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.locator('.island[data-loaded="microphone"]').waitFor();
    await page.getByRole('button', { name: 'Transcribe' }).click();
    await waitForState(page, 'done');
    const text = (await page.textContent('[data-text]')) ?? '';
    const heard = words.filter((word) => text.includes(word));
    expect(heard.length, `of ${words.length} words, in “${text}”`).toBeGreaterThan(words.length / 2);
    expect(await page.locator('[data-captions] li').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Listen' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    expect(await page.locator('[data-code="typescript"]').textContent()).toContain('getUserMedia');
  });

  test('may be refused, and the page says how to allow it', async () => {
    const page = await browser.open();
    await page.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(new DOMException('Permission denied', 'NotAllowedError'));
    });
    await openIsland(page, browser.site.url, 'transcribe');
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    expect(await page.locator('[data-problem] strong').textContent()).toBe('The microphone is not allowed');
    expect(await page.getByRole('button', { name: 'Record', exact: true }).isEnabled()).toBe(true);
  });
});
