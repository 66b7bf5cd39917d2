import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createSpeechClient } from '@speech-api/client';
import { createTickets, startRelay } from '@speech-api/relay';
import { closeServer, listenOnLoopback } from '@speech-api/run/servers';
import { defaultModel } from '@speech-api/types';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { guideExamples, placeExamples, removeExamples } from '../test/testing/guide-examples.ts';
import { useBrowser } from './testing/use-browser.ts';

const worklet = readFileSync(fileURLToPath(import.meta.resolve('@speech-api/audio/player/worklet')));

/** Address of a page's live sessions, with tickets for them. */
interface LiveHost {
  readonly url: string;
  ticket(): Promise<string>;
}

describe('examples of the guides in Chromium', () => {
  const browser = useBrowser();
  const examples = guideExamples().filter(({ kind }) => kind === 'browser');

  /** A page with nothing but the example, bundled as a reader would; only the address of the sandbox is another. */
  async function openExample(name: string, live?: (origin: string) => Promise<LiveHost>): Promise<Page> {
    const { placed } = placeExamples('browser', examples);
    const example = placed.find((candidate) => candidate.name === name);
    if (!example) throw new Error(`there is no example ${name} for browsers`);
    const { outputFiles } = await build({
      entryPoints: [example.file],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      logLevel: 'silent',
    });
    removeExamples('browser');
    let script = outputFiles[0]?.text.replaceAll('http://127.0.0.1:4010', browser.sandbox.url) ?? '';
    let host: LiveHost | undefined;
    const server = createServer(async (request, response) => {
      if (request.url === '/speech-ticket') {
        response.end(await host?.ticket());
        return;
      }
      if (request.url === '/worklet.js') {
        // Beside the script, where the player looks for its audio thread.
        response.setHeader('content-type', 'text/javascript').end(worklet);
        return;
      }
      const isScript = request.url === '/example.js';
      response.writeHead(200, {
        'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8',
      });
      response.end(isScript ? script : '<!doctype html><script type="module" src="/example.js"></script>');
    });
    const port = await listenOnLoopback(server, 0);
    onTestFinished(() => closeServer(server));
    host = await live?.(`http://127.0.0.1:${port}`);
    if (host !== undefined) script = script.replaceAll('wss://app.example', host.url);
    const page = await browser.open();
    await page.goto(`http://127.0.0.1:${port}/`);
    return page;
  }

  /** A relay in front of the sandbox, for pages of one origin with a ticket. */
  async function startLiveHost(origin: string): Promise<LiveHost> {
    const tickets = createTickets({ secret: randomBytes(32) });
    const relay = await startRelay({
      upstream: {
        webSocketUrl: browser.sandbox.url.replace(/^http/, 'ws'),
        apiKey: 'sandbox-key',
        model: defaultModel,
      },
      origins: [origin],
      authorize: ({ ticket }) => (ticket === undefined ? undefined : tickets.redeem(ticket)),
    });
    onTestFinished(() => relay.close());
    return { url: relay.url.replace(/^http/, 'ws'), ticket: () => tickets.issue({ user: 'anna' }) };
  }

  async function recorded(text: string): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
    const client = createSpeechClient({ baseUrl: browser.sandbox.url, apiKey: 'sandbox-key' });
    const speech = await client.speech.create({ text, format: 'wav' });
    return { name: 'recording.wav', mimeType: 'audio/wav', buffer: Buffer.from(await speech.bytes()) };
  }

  test('speaks live through the relay, with a ticket', async () => {
    const printed: string[] = [];
    const page = await openExample('live/page', startLiveHost);
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
    await page.evaluate(() => {
      const seen = new Set<string>();
      Object.assign(window, { seen });
      const output = document.querySelector('output');
      if (output) new MutationObserver(() => seen.add(output.value)).observe(output, { childList: true });
    });
    await page.click('button');
    await page.locator('button:enabled').waitFor();
    const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
    // A machine too busy to draw while a word sounds leaves it out.
    const words = seen.filter((word) => word !== '');
    expect(words.length).toBeGreaterThan(0);
    expect(['Every', 'word', 'knows', 'its', 'time']).toEqual(expect.arrayContaining(words));
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
