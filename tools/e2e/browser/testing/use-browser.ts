import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import { type MeddlingProxy, startMeddlingProxy } from './meddling-proxy.ts';
import { type ServedSite, serveSite } from './serve-site.ts';

/** Resources for a test of the site. */
export interface BrowserUnderTest {
  readonly site: ServedSite;
  readonly sandbox: { readonly url: string };
  /** A new sandbox per test. The site uses it unless the test says otherwise. */
  readonly proxy: MeddlingProxy;
  /** A page in its own context, whose requests and failures are watched. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** Violations of the pages' policies since the last call. Returned ones do not fail the test. */
  takeViolations(): readonly string[];
}

/** The shared browser, and a site for each worker, which ends with the worker. */
let shared: Promise<{ browser: Browser; site: ServedSite }> | undefined;

async function share(): Promise<{ browser: Browser; site: ServedSite }> {
  const [browser, site] = await Promise.all([
    chromium.connect(inject('browserUrl')),
    serveSite(inject('sandboxUrl')),
  ]);
  return { browser, site };
}

/** The browser, for pages that are not of the site. */
export async function sharedBrowser(): Promise<Browser> {
  shared ??= share();
  return (await shared).browser;
}

/** The shared browser, sandbox and site; after each test, no request may have left this machine. */
export function useBrowser(): BrowserUnderTest {
  const sandbox = { url: inject('sandboxUrl') };
  let parts: { browser: Browser; site: ServedSite } | undefined;
  let proxy: MeddlingProxy | undefined;
  let contexts: BrowserContext[] = [];
  let requested: string[] = [];
  let failures: string[] = [];
  let violations: string[] = [];

  beforeAll(async () => {
    shared ??= share();
    parts = await shared;
  });
  beforeEach(async () => {
    requested = [];
    failures = [];
    violations = [];
    running(parts).site.sandboxUrl = sandbox.url;
    running(parts).site.relayUrl = undefined;
    proxy = await startMeddlingProxy(sandbox.url);
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
    await proxy?.close();
    // A host name ending in .invalid does not exist, so a test may request it to get no answer.
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
    sandbox,
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
  };
}

function running<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('there is a browser only while tests run');
  return part;
}
