import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SpeechError } from '@speech-api/client';
import * as client from '@speech-api/client';
import { describe, expect, test } from 'vitest';
import {
  attributes,
  isServed,
  readFile,
  readPages,
  readStylesheets,
  scriptBytes,
} from './testing/built-site.ts';

/** Compressed script a reference page may load: it is read far more often than it is played with. */
const referencePageBudget = 40_000;
/** The playground brings the client, the player and the decoders' feeders. */
const playgroundBudget = 60_000;

const pages = readPages();
const ids = new Map(
  pages.map(({ path, html }) => [path, new Set(attributes(html, '[a-z][a-z0-9-]*', 'id'))]),
);

describe('the built site', () => {
  test('has no link that leads nowhere, anchors included', () => {
    const dead: string[] = [];
    for (const { path, html } of pages) {
      for (const href of attributes(html, 'a', 'href')) {
        const target = new URL(href, `http://site.invalid${path}`);
        if (target.host !== 'site.invalid') continue;
        const anchor = decodeURIComponent(target.hash.slice(1));
        const known = ids.get(target.pathname);
        if (!isServed(target.pathname) || (anchor !== '' && known && !known.has(anchor))) {
          dead.push(`${path} -> ${href}`);
        }
      }
    }
    expect([...new Set(dead)]).toEqual([]);
  });

  test('loads nothing from elsewhere', () => {
    const loaded = pages.flatMap(({ path, html }) =>
      [
        ...attributes(html, 'script|img|iframe|audio|video|source|embed', 'src'),
        ...attributes(html, 'link', 'href'),
        ...attributes(html, 'img|source', 'srcset'),
        ...attributes(html, 'form', 'action'),
        ...[...html.matchAll(/url\(["']?([^"')]+)/g)].map((match) => match[1] ?? ''),
      ].map((address) => `${path} ${address}`),
    );
    const styled = readStylesheets().flatMap(({ path, css }) =>
      [...css.matchAll(/(?:url\(|@import )["']?([^"')]+)/g)].map((match) => `${path} ${match[1]}`),
    );
    expect([...loaded, ...styled].filter((entry) => / (?:https?:)?\/\//.test(entry))).toEqual([]);
    expect(loaded.length).toBeGreaterThan(0);
  });

  test('gives every page a title of its own', () => {
    const titles = pages.map(({ html }) => /<title>(.*?)<\/title>/.exec(html)?.[1]);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test('gives every entry of the register of unknowns a place to link to', () => {
    const file = fileURLToPath(import.meta.resolve('@speech-api/spec/unknowns.json'));
    const register: { id: string }[] = JSON.parse(readFileSync(file, 'utf8'));
    const known = ids.get('/unknowns/');
    expect(register.length).toBeGreaterThan(0);
    expect(register.filter(({ id }) => !known?.has(id))).toEqual([]);
  });

  test('has a place for every error class of the client, at the address that its errors carry', () => {
    const classes = Object.entries(client).filter(
      ([name]) => name.endsWith('Error') && name !== 'SpeechError',
    );
    expect(classes.length).toBeGreaterThan(15);
    for (const [name, ErrorClass] of classes) {
      const context = { headers: new Headers(), field: '', phase: 'total', issues: [] };
      const error: unknown = Reflect.construct(ErrorClass as new (...given: unknown[]) => unknown, [
        '',
        context,
      ]);
      const { documentation } = error as SpeechError;
      const { pathname, hash } = new URL(documentation, 'http://site.invalid');
      expect([name, ids.get(pathname)?.has(hash.slice(1))]).toEqual([name, true]);
    }
  });

  test('marks on the reference pages what the interface does not state', () => {
    const html = readFile('/reference/list-models/index.html');
    expect(attributes(html, 'a', 'href')).toContain('/unknowns/#list-query-names');
  });

  test('ships every page with a policy, and the same for the whole site as a file of headers', () => {
    const without = pages.filter(
      ({ html }) =>
        !/^<!DOCTYPE html><html[^>]*><head><meta charset="utf-8"\/><meta http-equiv="Content-Sec/.test(html),
    );
    expect(without.map(({ path }) => path)).toEqual([]);
    const headers = readFile('/_headers');
    const unnamed = pages.flatMap(({ path, html }) =>
      [...html.matchAll(/'sha256-[^']+'/g)]
        .map(([hash]) => hash)
        .filter((hash) => !headers.includes(hash))
        .map((hash) => `${path} ${hash}`),
    );
    expect(unnamed).toEqual([]);
    expect(headers).toContain("frame-ancestors 'none'");
    expect(headers).not.toMatch(/script-src [^;]*'unsafe-(inline|eval)'/);
  });

  test('keeps its pages light', () => {
    const weights = pages.map((page) => ({ path: page.path, bytes: scriptBytes(page) }));
    const heaviest = (inside: (path: string) => boolean) =>
      Math.max(...weights.filter(({ path }) => inside(path)).map(({ bytes }) => bytes));
    const reference = heaviest((path) => path.startsWith('/reference/'));
    const playground = heaviest((path) => path.startsWith('/playground/'));
    console.info(`script, compressed: ${reference} bytes on a reference page, ${playground} on a playground`);
    expect(reference).toBeGreaterThan(1000);
    expect(reference).toBeLessThan(referencePageBudget);
    expect(playground).toBeGreaterThan(reference);
    expect(playground).toBeLessThan(playgroundBudget);
  });
});
