import { fileURLToPath } from 'node:url';
import { type RunningSandbox, startSandbox } from '@speech-api/sandbox';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchChromium } from './chromium.ts';
import { type MeddlingProxy, startMeddlingProxy } from './meddling-proxy.ts';
import { type ServedSite, serveSite } from './serve-site.ts';

const output = fileURLToPath(new URL('../../../../out/browser/', import.meta.url));

/** What a test of the site has at hand. */
export interface BrowserUnderTest {
  readonly site: ServedSite;
  readonly sandbox: RunningSandbox;
  /** A fresh one per test. The site uses the sandbox itself unless the test says otherwise. */
  readonly proxy: MeddlingProxy;
  /** A page in a context of its own; what it requests and what fails in it is watched. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** What the policies of pages refused until now; what is taken is not held against the test. */
  takeViolations(): readonly string[];
  /** Takes a picture for people to look at. */
  picture(page: Page, name: string, whole?: boolean): Promise<void>;
}

/** What a file of tests wants of its browser. */
export interface BrowserOptions {
  /** Further arguments of the browser; the sandbox runs already. */
  arguments?(sandbox: RunningSandbox): Promise<readonly string[]>;
}

/** One browser, one sandbox and one site for the tests of a file; after each test, nothing may have left this machine. */
export function useBrowser(options: BrowserOptions = {}): BrowserUnderTest {
  let parts: { browser: Browser; sandbox: RunningSandbox; site: ServedSite } | undefined;
  let proxy: MeddlingProxy | undefined;
  let contexts: BrowserContext[] = [];
  let requested: string[] = [];
  let failures: string[] = [];
  let violations: string[] = [];

  beforeAll(async () => {
    const sandbox = await startSandbox({ faults: [] });
    const further = (await options.arguments?.(sandbox)) ?? [];
    parts = { sandbox, site: await serveSite(sandbox.url), browser: await launchChromium(further) };
  });
  afterAll(async () => {
    await parts?.browser.close();
    await parts?.site.close();
    await parts?.sandbox.close();
  });
  beforeEach(async () => {
    requested = [];
    failures = [];
    violations = [];
    running(parts).site.sandboxUrl = running(parts).sandbox.url;
    proxy = await startMeddlingProxy(running(parts).sandbox.url);
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
    await proxy?.close();
    // A name that ends in .invalid is nobody's: a test may ask for it to get no answer.
    const here = /^(http:\/\/127\.0\.0\.1[:/]|https:\/\/[a-z.]+\.invalid\/|blob:|data:)/;
    const abroad = requested.filter((address) => !here.test(address));
    expect(abroad, 'requests that leave this machine').toEqual([]);
    expect(failures, 'errors thrown in the page').toEqual([]);
    expect(violations, 'what the policy of a page refused').toEqual([]);
  });

  return {
    get site() {
      return running(parts).site;
    },
    get sandbox() {
      return running(parts).sandbox;
    },
    get proxy() {
      return running(proxy);
    },
    takeViolations: () => violations.splice(0),
    async open(options) {
      const context = await running(parts).browser.newContext({
        viewport: { width: 1280, height: 800 },
        ...options,
      });
      contexts.push(context);
      const page = await context.newPage();
      page.on('request', (request) => requested.push(request.url()));
      page.on('pageerror', (error) => failures.push(String(error)));
      page.on('console', (message) => {
        if (/Content Security Policy/.test(message.text())) violations.push(message.text());
      });
      return page;
    },
    async picture(page, name, whole = false) {
      await page.screenshot({ path: `${output}${name}.png`, fullPage: whole });
    },
  };
}

function running<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('there is a browser only while tests run');
  return part;
}
