import { execFile } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attributes, isServed } from './testing/built-site.ts';

const address = 'https://docs.speech.test/speech/';

/** Environment variables of the test runner that the builder would read as its own. */
const ofTheRunner = /^(?:BASE_URL|MODE|DEV|PROD|SSR|TEST|VITEST.*|DOCS_.*|SITE_URL|REPOSITORY_URL)$/;

const root = fileURLToPath(new URL('..', import.meta.url));
/** Inside the workspace, because the build imports what is installed there. */
const secondBuild = join(root, '.second-build');

beforeAll(async () => {
  const astro = join(root, 'node_modules/astro/bin/astro.mjs');
  await promisify(execFile)(process.execPath, [astro, 'build', '--outDir', secondBuild], {
    cwd: root,
    maxBuffer: 64 * 2 ** 20,
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofTheRunner.test(name))),
      NODE_ENV: 'production',
      SITE_URL: address,
      ASTRO_TELEMETRY_DISABLED: '1',
    },
  });
}, 600_000);

afterAll(() => rmSync(secondBuild, { recursive: true, force: true }));

describe('the site with an address, under a path', () => {
  test('leads every link, script, style and font to something that is there, below the path', () => {
    const wrong: string[] = [];
    for (const file of globSync('**/*.{html,css}', { cwd: secondBuild })) {
      const text = read(file);
      const here = `http://site.invalid/speech/${file.replace(/index\.html$/, '')}`;
      const addresses = [
        ...attributes(text, 'a|link', 'href'),
        ...attributes(text, 'script|img|source', 'src'),
        ...[...text.matchAll(/(?<![.\w])url\(["']?([^"')]+)/g)].map(([, address = '']) => address),
      ];
      for (const address of addresses.filter((address) => !address.startsWith('data:'))) {
        const { host, pathname } = new URL(address, here);
        if (host !== 'site.invalid') continue;
        if (!isServedBelow(pathname)) wrong.push(`${file} -> ${address}`);
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
    expect(read('robots.txt')).toContain(`Sitemap: ${address}sitemap-index.xml\n`);
    expect(read('sitemap-index.xml')).toContain(`<loc>${address}sitemap-0.xml</loc>`);
    const mapped = [...read('sitemap-0.xml').matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, found]) => found);
    expect(mapped.sort()).toEqual(pages.map(addressOf).sort());
    expect(JSON.parse(read('openapi.json')).externalDocs.url).toBe(address.replace(/\/$/, ''));
  });

  test('writes its list for programs with addresses below the path', () => {
    const links = [...read('llms.txt').matchAll(/\]\((\/[^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !isServedBelow(link))).toEqual([]);
  });
});

function read(file: string): string {
  return readFileSync(join(secondBuild, file), 'utf8');
}

/** Whether a host that serves the folder under `/speech/` has something at this address. */
function isServedBelow(path: string): boolean {
  return path.startsWith('/speech/') && isServed(path.slice('/speech'.length), `${secondBuild}/`);
}
