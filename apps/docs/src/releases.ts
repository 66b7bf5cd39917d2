import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { marked } from 'marked';
import { splitSections } from './project.ts';

/** Changes in a version of a package. */
export type Release = ReturnType<typeof readReleases>[number];

/**
 * The released versions of the specification and of every package that keeps a changelog, the specification first.
 * A heading is `## 1.2.0 (2026-11-22)`.
 */
export function readReleases(packages: readonly string[]) {
  return ['@speech-api/spec', ...packages].flatMap((name) => {
    const file = fileURLToPath(new URL('CHANGELOG.md', import.meta.resolve(`${name}/package.json`)));
    if (!existsSync(file)) return [];
    const short = name.replace(/^@[^/]+\//, '');
    return splitSections(readFileSync(file, 'utf8')).flatMap(({ title, text }) => {
      const [version = title, date] = title.split(/ \(|\)$/);
      const anchor = `${short}-${version.replaceAll(/[^\w.-]+/g, '-')}`;
      // Readers cannot have an unreleased version.
      return date === undefined ? [] : [{ package: name, version, date, anchor, text }];
    });
  });
}

const folder = new URL('releases/', import.meta.resolve('@speech-api/spec/package.json'));

/** The versions of the specification that were released, the newest first. */
export const specVersions: readonly string[] = readdirSync(folder)
  .map((file) => file.replace(/\.json$/, ''))
  .sort((left, right) => right.localeCompare(left, 'en', { numeric: true }));

/** The address of a released specification, below the root of the site. */
export function releaseFile(version: string): string {
  return `releases/${version}.json`;
}

/** The OpenAPI document of each release as it was published, by its address. */
export function releaseFiles(): Readonly<Record<string, () => string>> {
  return Object.fromEntries(
    specVersions.map((version) => [
      releaseFile(version),
      () => readFileSync(new URL(`${version}.json`, folder), 'utf8'),
    ]),
  );
}

/**
 * The changelog for feed readers.
 *
 * @param home address of the site, with a slash at its end
 */
export function writeFeed(releases: readonly Release[], home: string): string {
  const items = releases.map((release) => {
    const link = `${home}changelog/#${release.anchor}`;
    return [
      '    <item>',
      `      <title>${escapeXml(`${release.package} ${release.version}`)}</title>`,
      `      <link>${escapeXml(link)}</link>`,
      `      <guid isPermaLink="true">${escapeXml(link)}</guid>`,
      `      <pubDate>${new Date(release.date).toUTCString()}</pubDate>`,
      `      <description>${escapeXml(marked.parse(release.text, { async: false }))}</description>`,
      '    </item>',
    ].join('\n');
  });
  const feed = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">',
    '  <channel>',
    '    <title>Speech API: changelog</title>',
    `    <link>${escapeXml(`${home}changelog/`)}</link>`,
    `    <atom:link href="${escapeXml(`${home}changelog.xml`)}" rel="self" type="application/rss+xml"/>`,
    '    <description>Changes of the specification and of the packages. Each line says who has to do what.</description>',
    '    <language>en</language>',
    ...items,
    '  </channel>',
    '</rss>',
    '',
  ];
  return feed.join('\n');
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
