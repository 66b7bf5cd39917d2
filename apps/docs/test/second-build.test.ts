import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attributes } from './testing/built-site.ts';

const address = 'https://docs.speech.test/speech/';

/** Values that are on the page only because of the changed copy of the specification. */
const changed = { default: 0.3141, maximum: 0.9265 };

/** Environment variables of the test runner that the builder would read as its own. */
const ofTheRunner = /^(?:BASE_URL|MODE|DEV|PROD|SSR|TEST|VITEST.*|DOCS_.*|SITE_URL|REPOSITORY_URL)$/;

const root = fileURLToPath(new URL('..', import.meta.url));
/** Inside the workspace, because the build imports what is installed there. */
const folder = join(root, '.second-build');
const secondBuild = join(folder, 'site');

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const document = JSON.parse(
    readFileSync(new URL(import.meta.resolve('@speech-api/spec/openapi.json')), 'utf8'),
  );
  Object.assign(document.components.schemas.SynthesisSettings.properties.temperature, changed);
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  const astro = join(root, 'node_modules/astro/bin/astro.mjs');
  await promisify(execFile)(process.execPath, [astro, 'build', '--outDir', secondBuild], {
    cwd: root,
    maxBuffer: 64 * 2 ** 20,
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofTheRunner.test(name))),
      NODE_ENV: 'production',
      SITE_URL: address,
      REPOSITORY_URL: 'https://code.speech.test/site',
      DOCS_OPENAPI: join(folder, 'openapi.json'),
      ASTRO_TELEMETRY_DISABLED: '1',
    },
  });
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the site with an address, under a path, from a changed copy of the specification', () => {
  test('has the changed default and the changed range on the page, in its text and in the table of limits', () => {
    const page = read('reference/create-speech/index.html');
    expect(page.includes(`<code>${changed.default}</code>`)).toBe(true);
    expect(page.includes(`0 to ${changed.maximum}`)).toBe(true);
    expect(read('reference/create-speech.md').includes(`Default \`${changed.default}\``)).toBe(true);
    expect(read('reference/limits/index.html').includes(`0 to ${changed.maximum}`)).toBe(true);
  });

  test('leads every link, script, style and font to something that is there, below the path', () => {
    const wrong: string[] = [];
    for (const file of globSync('**/*.{html,css}', { cwd: secondBuild })) {
      const text = read(file);
      const here = `http://site.invalid/speech/${file.replace(/index\.html$/, '')}`;
      const addresses = [
        ...attributes(text, 'a|link', 'href'),
        ...attributes(text, 'script|img|source', 'src'),
        ...[...text.matchAll(/url\(["']?([^"')]+)/g)].map(([, address = '']) => address),
      ];
      for (const address of addresses.filter((address) => !address.startsWith('data:'))) {
        const { host, pathname } = new URL(address, here);
        if (host !== 'site.invalid') continue;
        if (!isServed(pathname)) wrong.push(`${file} -> ${address}`);
      }
    }
    expect([...new Set(wrong)]).toEqual([]);
  });

  test('names its address wherever a whole one is asked for, by one setting', () => {
    const pages = globSync('**/*.html', { cwd: secondBuild }).filter((file) => file !== '404.html');
    expect(pages.length).toBeGreaterThan(50);
    const addressOf = (file: string) => address + file.replace(/index\.html$/, '');
    const wrong = pages.filter((file) => {
      const html = read(file);
      return !(
        html.includes(`<link rel="canonical" href="${addressOf(file)}"`) &&
        html.includes(`<meta property="og:url" content="${addressOf(file)}"`) &&
        html.includes(`<meta property="og:image" content="${address}card.png"`)
      );
    });
    expect(wrong).toEqual([]);
    // A PNG of the size that cards are shown in.
    const card = readFileSync(join(secondBuild, 'card.png'));
    expect([card.subarray(1, 4).toString(), card.readUInt32BE(16), card.readUInt32BE(20)]).toEqual([
      'PNG',
      1200,
      630,
    ]);
    expect(read('robots.txt')).toContain(`Sitemap: ${address}sitemap-index.xml\n`);
    expect(read('sitemap-index.xml')).toContain(`<loc>${address}sitemap-0.xml</loc>`);
    const mapped = [...read('sitemap-0.xml').matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, found]) => found);
    expect(mapped.sort()).toEqual(pages.map(addressOf).sort());
    expect(JSON.parse(read('openapi.json')).externalDocs.url).toBe(address.replace(/\/$/, ''));
  });

  test('leads to the source of a guide, and from every page to where a problem is reported', () => {
    const guide = read('guides/speech/index.html');
    expect(guide).toContain(
      'href="https://code.speech.test/site/edit/main/apps/docs/src/content/docs/guides/speech.mdx"',
    );
    const report = 'https://code.speech.test/site/issues/new?title=Page+%2Freference%2Fcreate-speech%2F';
    expect(attributes(read('reference/create-speech/index.html'), 'a', 'href')).toContain(report);
  });

  test('writes its list for programs with addresses below the path', () => {
    const links = [...read('llms.txt').matchAll(/\]\((\/[^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !isServed(link))).toEqual([]);
  });
});

function read(file: string): string {
  return readFileSync(join(secondBuild, file), 'utf8');
}

/** Whether a host that serves the folder under `/speech/` has something at this address. */
function isServed(path: string): boolean {
  if (!path.startsWith('/speech/')) return false;
  const file = join(secondBuild, decodeURI(path.slice('/speech'.length)));
  return existsSync(path.endsWith('/') ? join(file, 'index.html') : file);
}
