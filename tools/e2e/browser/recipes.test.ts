import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as forward } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from './testing/free-port.ts';
import { bundleProgram, servePage } from './testing/serve-program.ts';
import { useBrowser } from './testing/use-browser.ts';

const recipes = fileURLToPath(new URL('../../recipes/recipes/', import.meta.url));

describe('recipes with a page, in Chromium', () => {
  const useFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recipe-page-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  };
  const browser = useBrowser();

  /** Starts a recipe's server in a folder and resolves to its address. It ends with the test. */
  async function serveRecipe(name: string, cwd: string, port = 0): Promise<string> {
    const child = spawn(process.execPath, [`${recipes}${name}.ts`], {
      cwd,
      env: {
        ...process.env,
        SPEECH_BASE_URL: browser.sandbox.url,
        SPEECH_API_KEY: 'sandbox-key',
        PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    const [line] = await once(child.stdout, 'data');
    return String(line).trim();
  }

  /** The page and the backend of a voice agent, built and started as the guide says. */
  async function openAgent(): Promise<Page> {
    const folder = await useFolder();
    await build({
      entryPoints: [
        { in: `${recipes}voice-agent-page.ts`, out: 'voice-agent-page' },
        // In a project with the packages installed, this is `@speech-api/audio/player/worklet`.
        {
          in: fileURLToPath(new URL('../../../packages/audio/dist/player/worklet.js', import.meta.url)),
          out: 'worklet',
        },
      ],
      bundle: true,
      format: 'esm',
      outdir: join(folder, 'public'),
      logLevel: 'silent',
    });
    const address = await serveRecipe('voice-agent', folder, await freePort());
    const page = await browser.open();
    // The playback clock, for tests that wait until some audio was heard.
    await page.addInitScript(() => {
      const clocks: AudioContext[] = [];
      window.AudioContext = class extends AudioContext {
        constructor(options?: AudioContextOptions) {
          super(options);
          clocks.push(this);
        }
      };
      Object.assign(window, { clocks });
    });
    await page.goto(address);
    await page.locator('body[data-ready]').waitFor();
    return page;
  }

  async function ask(page: Page, question: string): Promise<void> {
    await page.fill('input', question);
    await page.click('form button');
  }

  test('a new question interrupts the answer, knows how much of it was heard, and is answered to the end', async () => {
    const page = await openAgent();
    const status = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const output = document.querySelector('output');
          if (output === null) return;
          new MutationObserver(() => {
            if (output.value.startsWith('Interrupted after')) resolve(output.value);
          }).observe(output, { childList: true });
        }),
    );
    await ask(page, 'How far is the harbour?');
    await page.getByText('Speaking').waitFor();
    await page.evaluate(async () => {
      const [clock] = (window as unknown as { clocks: AudioContext[] }).clocks;
      const end = (clock?.currentTime ?? 0) + 3;
      while ((clock?.currentTime ?? end) < end) await new Promise(requestAnimationFrame);
    });
    await ask(page, 'Never mind?');
    const text = (await status).replace('Interrupted after: ', '');
    expect(
      'You asked: How far is the harbour? Let me think. The harbour is ten minutes away on foot.',
    ).toContain(text);
    expect(text).toMatch(/^You asked/);
    await page.getByText('Heard to the end').waitFor({ timeout: 60_000 });
  });

  test('a page speaks through its own backend and never sees the key', async () => {
    const backend = new URL(await serveRecipe('own-backend', await useFolder()));
    const script = await bundleProgram({
      stdin: {
        contents: `import { speak } from './own-backend-page.ts';
            document.cookie = 'session=of-ann';
            const player = document.body.appendChild(document.createElement('audio'));
            const button = document.body.appendChild(document.createElement('button'));
            button.onclick = () => speak('Good morning.', player);`,
        resolveDir: recipes,
      },
    });
    const origin = await servePage(
      () => script,
      (request, response) => {
        const { hostname, port } = backend;
        const { method, url, headers } = request;
        expect(headers.authorization).toBeUndefined();
        const onward = forward({ hostname, port, method, path: url, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        request.pipe(onward);
      },
    );
    const page = await browser.open();
    await page.goto(origin);
    await page.click('button');
    await page.waitForFunction(() => document.querySelector('audio')?.ended === true);
  });

  test('a React component lights the words that are heard, and falls silent when it is stopped', async () => {
    const program = await bundleProgram({ entryPoints: [`${recipes}react-words.tsx`] });
    const origin = await servePage(() => program.replaceAll('http://127.0.0.1:4010', browser.sandbox.url));
    const page = await browser.open();
    await page.goto(origin);
    for (const finish of [() => {}, () => page.click('text=Stop')]) {
      await page.click('text=Listen');
      await page.locator('mark:not(:empty)').waitFor();
      await finish();
      await page.getByText('Listen').waitFor();
      expect(await page.locator('mark').textContent()).toBe('');
    }
  });
});
