import { createServer } from 'node:http';
import { complete } from '@speech-api/config/suite';
import { closeServer, listenOnLoopback } from '@speech-api/run/servers';
import { type RunningSandbox, startSandbox } from '@speech-api/sandbox';
import { operationTable } from '@speech-api/types';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityProblems } from './testing/accessibility.ts';
import { silentAddress } from './testing/free-port.ts';
import { copiesOf, openOperation, pressRun } from './testing/run.ts';
import { useBrowser } from './testing/use-browser.ts';

/** The operations a page can call, without live sessions, whose socket needs headers that no page can set. */
const operations = Object.entries(operationTable).filter(([id]) => id !== 'openLiveSession');

describe('Run in Chromium', () => {
  const browser = useBrowser();

  /** Seconds in the controls, of an answer that sounded while it arrived. */
  async function secondsHeard(page: Page): Promise<number> {
    expect(await page.textContent('[data-answer-status]')).toMatch(/first sound|spoke the text itself/);
    return page.locator('.run audio').evaluate(
      (audio: HTMLAudioElement) =>
        new Promise<number>((resolve, reject) => {
          audio.addEventListener('error', () => reject(new Error(audio.error?.message)));
          const look = () => {
            if (audio.duration > 0) resolve(audio.duration);
            else requestAnimationFrame(look);
          };
          look();
        }),
    );
  }

  // This file has its own sandbox, because the models it creates would appear in other tests.
  let sandbox: RunningSandbox;
  beforeEach(() => {
    browser.site.sandboxUrl = sandbox.url;
  });
  afterAll(() => sandbox.close());
  beforeAll(async () => {
    sandbox = await startSandbox({ faults: [] });
  });

  test.each(operations.map(([id]) => id))(
    'plays %s against the sandbox, as its sample has it',
    async (id) => {
      const page = await openOperation(browser, id);
      const status = await pressRun(page);
      expect(status).toMatch(/^20\d /);
      if (id === 'createSpeech' || id === 'streamSpeechWithTimestamps')
        expect(await secondsHeard(page)).toBeGreaterThan(1);
      else if (!status.includes('without a body'))
        expect(JSON.parse((await page.locator('[data-answer-body]').textContent()) ?? '')).toBeTypeOf(
          'object',
        );
      if (id === 'streamSpeechWithTimestamps')
        expect(await page.locator('[data-answer-body]').textContent()).toMatch(/(audio_base64[\s\S]*){2}/);
      if (id === 'createSpeech' || complete) {
        expect(await accessibilityProblems(page, {}, '.samples')).toEqual([]);
      }
    },
  );

  test('shows each documented status of an operation when it is chosen', async () => {
    const page = await openOperation(browser, 'createSpeech');
    const choice = page.locator('select[data-status]');
    const statuses = await choice
      .locator('option')
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
    const statusesShown = statuses.filter((status) => status !== '');
    expect(statusesShown.length).toBeGreaterThan(8);
    for (const status of statusesShown) {
      await choice.selectOption(status);
      expect(await pressRun(page)).toMatch(new RegExp(`^${status} `));
      const body = JSON.parse((await page.textContent('[data-answer-body]')) ?? '');
      const documented = JSON.parse((await page.locator(`#error-${status} pre`).first().textContent()) ?? '');
      expect(body).toEqual(
        status === '422' ? documented : expect.objectContaining({ status: Number(status) }),
      );
      const link = page.locator('.run [data-problem] a');
      expect(await link.getAttribute('href')).toMatch(/^\/errors\/#\w+error$/);
    }
  });

  test('sends at Ctrl+Enter', async () => {
    const page = await openOperation(browser, 'listModels');
    await page.locator('[data-path]').press('Control+Enter');
    await page.locator('[data-answer-status]', { hasText: /^200 / }).waitFor();
  });

  test('copies samples with their comments, and sentences in place of half a request', async () => {
    const page = await openOperation(browser, 'updateModel');
    expect(await copiesOf(page)).toContainEqual(expect.stringContaining('# What is left out stays'));
    await page.locator('[data-json]').fill('{');
    const sentence = expect.stringMatching(/^(#|\/\/) The (body|path) is not \S+ yet\.$/);
    expect(await copiesOf(page)).toEqual([sentence, sentence, sentence]);
    await page.locator('[data-json]').fill('{}');
    await page.locator('[data-path]').fill('/model/%');
    expect(await copiesOf(page)).toEqual([sentence, sentence, sentence]);
  });

  test('plays a text of 10000 characters and lights its words long before its end', async () => {
    const page = await openOperation(browser, 'streamSpeechWithTimestamps');
    const text = 'Every word knows its time. '.repeat(370);
    await page.locator('[data-json]').fill(JSON.stringify({ text, format: 'opus' }));
    await page.locator('[data-run]').click();
    await page.locator('[data-answer-status]', { hasText: 'first sound' }).waitFor({ timeout: 5000 });
    await page.locator('.run [data-words] [data-lit]').waitFor();
    await page.locator('[data-run]', { hasText: 'Stop' }).click();
    expect(await page.locator('[data-run]', { hasText: /^Run$/ }).isEnabled()).toBe(true);
  });

  test('says that the page has changed when a part of it is gone', async () => {
    const page = await openOperation(browser, 'getApiCredit');
    await page.route(/\/run\.[^/]*\.js$/, (route) => route.abort());
    await pressRun(page);
    expect(await page.textContent('.run [data-problem]')).toBe('This page has changed; load it again.');
  });

  test('keeps the key nowhere but in its field', async () => {
    const page = await openOperation(browser, 'getApiCredit');
    await page.locator('.run-connection summary').click();
    await page.locator('.run [data-key]').fill('a-key-of-my-own');
    expect(await pressRun(page)).toMatch(/^401 /);
    const stored = await page.evaluate(async () =>
      JSON.stringify([
        location.href,
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        document.documentElement.outerHTML,
        (await indexedDB.databases()).length,
        history.state,
      ]),
    );
    expect(stored).not.toContain('a-key-of-my-own');
    await page.reload();
    expect(await page.locator('.run [data-key]').inputValue()).toBe('sandbox-key');
  });

  test('refuses a key that cannot be sent, and sends nothing', async () => {
    const page = await openOperation(browser, 'getApiCredit');
    let calls = 0;
    page.on('request', (request) => {
      if (request.url().startsWith(sandbox.url)) calls += 1;
    });
    await page.locator('.run-connection summary').click();
    for (const key of ['Bearer a-key', 'pasted\u200bkey']) {
      await page.locator('.run [data-key]').fill(key);
      await pressRun(page);
      expect(await page.textContent('.run [data-problem]'), key).toMatch(
        /without "Bearer"\?.*Nothing was sent/,
      );
    }
    expect(calls).toBe(0);
    // Without a key the service says that it needs one.
    await page.locator('.run [data-key]').fill('');
    expect(await pressRun(page)).toMatch(/^401 /);
  });

  test('plays audio without a type of its own, and what had arrived of audio that breaks off', async () => {
    const mp3 = Buffer.from(await (await speak(sandbox.url, 'mp3')).arrayBuffer());
    let isCut = false;
    const service = createServer(({ method, headers }, response) => {
      const allowed = headers['access-control-request-headers'] ?? '';
      response
        .setHeader('access-control-allow-origin', '*')
        .setHeader('access-control-allow-headers', allowed);
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      if (method === 'OPTIONS' || !isCut) return response.end(mp3);
      response.write(mp3.subarray(0, mp3.length - 1000));
      setTimeout(() => response.destroy(), 200);
    });
    browser.site.sandboxUrl = `http://127.0.0.1:${await listenOnLoopback(service, 0)}`;
    const page = await openOperation(browser, 'createSpeech');
    await pressRun(page);
    expect(await secondsHeard(page)).toBeGreaterThan(1);
    isCut = true;
    await pressRun(page);
    expect(await page.textContent('.run [data-problem]')).toContain('cannot be read to its end');
    expect(await secondsHeard(page)).toBeGreaterThan(1);
    await closeServer(service);
  });

  test('keeps the address for the visit, and leaves out what was cleared in a form', async () => {
    const page = await openOperation(browser, 'createModel');
    await page.locator('.run-connection summary').click();
    await page.fill('.run [data-base-url]', sandbox.url);
    await page.fill('.run [data-part="texts"]', '');
    expect(await pressRun(page)).toMatch(/^201 /);
    browser.site.sandboxUrl = await silentAddress();
    await openOperation(browser, 'getApiCredit', page);
    expect(await page.inputValue('.run [data-base-url]')).toBe(sandbox.url);
  });

  test('speaks in the page where no server answers, and says so', async () => {
    browser.site.sandboxUrl = await silentAddress();
    const page = await openOperation(browser, 'createSpeech');
    expect(await pressRun(page)).toContain('this page spoke the text itself');
    expect(await secondsHeard(page)).toBeGreaterThan(1);
    const stream = await openOperation(browser, 'streamSpeechWithTimestamps');
    expect(await pressRun(stream)).toContain('this page spoke the text itself');
    expect(await stream.locator('[data-answer-body]').textContent()).toContain('"audio_base64"');
    const listing = await openOperation(browser, 'listModels');
    await pressRun(listing);
    expect(await listing.locator('.run [data-problem]').textContent()).toContain('npm run sandbox');
  });
});

async function speak(url: string, format = 'wav'): Promise<Blob> {
  const response = await fetch(`${url}/v1/tts`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key', model: 's2-pro', 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'What is said in the sample.', format }),
  });
  return response.blob();
}
