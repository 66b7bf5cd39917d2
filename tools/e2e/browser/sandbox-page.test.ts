import { type RunningSandbox, startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBrowser } from './testing/use-browser.ts';

const headers = {
  authorization: 'Bearer sandbox-key',
  model: 's2-pro',
  'content-type': 'application/json',
};

const screens = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 360, height: 740 } },
} as const;

describe("the sandbox's own page in Chromium", () => {
  const browser = useBrowser();
  // A sandbox that no other test calls.
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ record: 'bodies' });
  });
  afterAll(() => sandbox.close());

  const speak = async (body: Readonly<Record<string, unknown>>): Promise<void> => {
    const options = { method: 'POST', headers, body: JSON.stringify(body) };
    await (await fetch(`${sandbox.url}/v1/tts`, options)).arrayBuffer();
  };

  test('says how to begin, shows a call when it comes, and plays every format', async () => {
    const page = await browser.open();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(sandbox.url);
    await page.getByText('0 calls.').waitFor();
    for (const format of ['wav', 'pcm', 'mp3', 'opus']) await speak({ text: 'Hello there.', format });
    await page.locator('audio').nth(3).waitFor();
    const played = await page.locator('audio').evaluateAll(async (players) => {
      const times: number[] = [];
      for (const player of players as HTMLAudioElement[]) {
        await player.play();
        await new Promise((resolve) => player.addEventListener('timeupdate', resolve, { once: true }));
        times.push(player.duration);
        player.pause();
      }
      return times;
    });
    expect(played).toHaveLength(4);
    for (const seconds of played) expect(seconds).toBeGreaterThan(0.3);
    // The page's policy blocks forbidden requests and reports them here.
    expect(complaints).toEqual([]);
  });

  test('fits every screen, names its parts, and stops when it is told to', async () => {
    await speak({ text: 'a', temperature: 2 });
    for (const [screen, options] of Object.entries(screens)) {
      const page = await browser.open(options);
      await page.goto(sandbox.url);
      const refused = page.getByRole('listitem').first();
      await refused.waitFor();
      expect(await refused.textContent()).toContain('422');
      expect(await refused.textContent()).toContain('temperature');
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Speech sandbox');
      const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(width, screen).toBeLessThanOrEqual(0);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'Resume' }).waitFor();
    }
  });
});
