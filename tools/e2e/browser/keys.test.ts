import { createServer } from 'node:http';
import { complete } from '@speech-api/config/suite';
import { closeServer, listenOnLoopback } from '@speech-api/run/servers';
import { operationTable } from '@speech-api/types';
import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openPlayground } from './testing/playground.ts';
import { openOperation, pressRun } from './testing/run.ts';
import { useBrowser } from './testing/use-browser.ts';

/** One operation for each kind of request: JSON, a form, and none. */
const kinds = ['createSpeech', 'createTranscription', 'getApiCredit'];
const operations = complete ? Object.keys(operationTable).filter((id) => id !== 'openLiveSession') : kinds;
const key = 'a-key-of-my-own';
/** A browser would send these to the page's own host; a unit test covers other invalid addresses. */
const wrongAddresses = ['', '//speech.invalid'];
const wrongPaths = ['@evil.invalid/', '//evil.invalid/'];

describe('where a key goes', () => {
  const browser = useBrowser();

  /** Records all requests that contain the key. */
  function watchKeys(page: Page): { readonly origins: Set<string> } {
    const origins = new Set<string>();
    page.on('request', (request: Request) => {
      const text = `${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`;
      if (text.includes(key)) origins.add(new URL(request.url()).origin);
    });
    return { origins };
  }

  async function openRun(page: Page, id: string): Promise<void> {
    await openOperation(browser, id, page);
    await page.locator('.run-connection summary').click();
    await page.fill('.run [data-key]', key);
  }

  test.each(operations)('%s sends it to the origin that is shown, and to no other', async (id) => {
    const page = await browser.open();
    const { origins } = watchKeys(page);
    await page.route('https://speech.invalid/**', (route) =>
      route.fulfill({
        status: 302,
        headers: { location: 'https://evil.invalid/', 'access-control-allow-origin': '*' },
      }),
    );
    await openRun(page, id);
    for (const [address, shown] of [
      [browser.sandbox.url, browser.sandbox.url],
      [' https://speech.invalid/base/ ', 'https://speech.invalid'],
      ['speech.invalid', undefined],
    ] as const) {
      origins.clear();
      await page.fill('.run [data-base-url]', address);
      await pressRun(page);
      expect([...origins]).toEqual(shown === undefined ? [] : [shown]);
      if (shown !== undefined) expect(await page.textContent('.run-bar [data-where]')).toBe(shown);
    }
  });

  test('Run refuses an address or a path that leads elsewhere, in its field', async () => {
    const page = await browser.open();
    const { origins } = watchKeys(page);
    await openRun(page, 'getModel');
    for (const address of wrongAddresses) {
      await page.fill('.run [data-base-url]', address);
      await pressRun(page);
      expect(await page.textContent('.run [data-problem]'), address).toContain('Nothing was sent');
      expect(await page.getAttribute('.run [data-base-url]', 'aria-invalid')).toBe('true');
    }
    await page.fill('.run [data-base-url]', browser.sandbox.url);
    for (const path of wrongPaths) {
      await page.fill('[data-path]', path);
      await pressRun(page);
      expect(await page.textContent('.run [data-problem]'), path).toContain('This path cannot be called');
    }
    expect([...origins]).toEqual([]);
  });

  test('the playground refuses the same addresses', async () => {
    const page = await browser.open();
    const { origins } = watchKeys(page);
    await openPlayground(browser, '', page);
    await page.click('[data-connection] summary');
    await page.fill('[data-key]', key);
    for (const address of wrongAddresses) {
      await page.fill('[data-base-url]', address);
      await page.click('[data-speak]');
      await expect
        .poll(() => page.textContent('[data-problem]'), { message: address })
        .toContain('Nothing was sent');
      expect(await page.textContent('.goes [data-where]')).toBe('nowhere: this is not an address');
    }
    expect([...origins]).toEqual([]);
  });

  test('a server that is there but does not let this page in is reported, and not spoken over', async () => {
    const closed = createServer((_, response) => response.end('no header that allows a page'));
    const address = `http://127.0.0.1:${await listenOnLoopback(closed, 0)}`;
    const page = await browser.open();
    await openRun(page, 'createSpeech');
    await page.fill('.run [data-base-url]', address);
    await pressRun(page);
    expect(await page.textContent('.run [data-problem]')).toContain('does not allow the origin of this page');
    expect(await page.locator('.run audio').isVisible()).toBe(false);
    await openPlayground(browser, '', page);
    await page.click('[data-connection] summary');
    await page.fill('[data-base-url]', address);
    await page.click('[data-speak]');
    await expect.poll(() => page.textContent('[data-problem]')).toContain('does not allow the origin');
    await closeServer(closed);
    // A real service that does not answer is not taken for the sandbox either.
    await openRun(page, 'createSpeech');
    await page.route('https://speech.invalid/**', (route) => route.abort());
    await page.fill('.run [data-base-url]', 'https://speech.invalid');
    await pressRun(page);
    expect(await page.textContent('.run [data-problem]')).toContain('No answer from https://speech.invalid');
    expect(await page.locator('.run audio').isVisible()).toBe(false);
  });
});
