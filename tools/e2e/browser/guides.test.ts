import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { guideExamples, placeExamples, removeExamples } from '../test/testing/guide-examples.ts';
import { sayAsWav } from './testing/say.ts';
import { bundleProgram, servePage, startTicketRelay } from './testing/serve-program.ts';
import { useBrowser } from './testing/use-browser.ts';

describe('examples of the guides in Chromium', () => {
  const browser = useBrowser();
  const examples = guideExamples().filter(({ kind }) => kind === 'browser');

  /**
   * A page with nothing but the example, bundled as a reader would, and a relay for its live sessions; only the
   * addresses of sandbox and relay are others.
   */
  async function openExample(name: string): Promise<Page> {
    const { placed } = placeExamples('browser', examples);
    const example = placed.find((candidate) => candidate.name === name);
    if (!example) throw new Error(`there is no example ${name} for browsers`);
    const program = await bundleProgram({ entryPoints: [example.file] });
    removeExamples('browser');
    const origin = await servePage(
      () =>
        program
          .replaceAll('http://127.0.0.1:4010', browser.sandbox.url)
          .replaceAll('wss://app.example', relay.url),
      async (_, response) => void response.end(await relay.ticket()),
    );
    const relay = await startTicketRelay(browser.sandbox.url, origin);
    const page = await browser.open();
    await page.goto(origin);
    return page;
  }

  async function recorded(text: string): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
    const buffer = Buffer.from(await sayAsWav(browser.sandbox.url, text));
    return { name: 'recording.wav', mimeType: 'audio/wav', buffer };
  }

  test('speaks live through the relay, with a ticket', async () => {
    const printed: string[] = [];
    const page = await openExample('live/page');
    page.on('console', (message) => printed.push(message.text()));
    await page.reload();
    await expect.poll(() => printed.map(Number).reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(2000);
  });

  test('says a sentence', async () => {
    const page = await openExample('start/speak');
    await page.click('button');
    await page.getByText('Say it again').waitFor();
  });

  test('shows each word while it is heard', async () => {
    const page = await openExample('timestamps/words');
    await page.click('button');
    expect('Every word knows its time').toContain(await page.textContent('output:not(:empty)'));
    await page.locator('button:enabled').waitFor();
  });

  test('speaks in the voice of a file', async () => {
    const page = await openExample('cloning/once');
    await page.setInputFiles('input', await recorded('What Ann says in her sample.'));
    await page.locator('input[title="Said"]').waitFor();
  });

  test('transcribes a file', async () => {
    const page = await openExample('transcription/text');
    await page.setInputFiles('input', await recorded('The last boat leaves at ten.'));
    await page.getByText('The last boat leaves at ten.').waitFor();
  });
});
