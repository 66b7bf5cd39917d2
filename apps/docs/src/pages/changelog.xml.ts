import { documentationUrl } from '@speech-api/types/constants';
import type { APIRoute } from 'astro';
import { marked } from 'marked';
import { readReleases } from '../project.ts';
import { packages } from '../typescript/modules-plugin.ts';

/** The changelog for feed readers. Versions have no dates of their own, so the items have none either. */
export const GET: APIRoute = ({ site }) => {
  const home = (site?.href ?? documentationUrl).replace(/\/$/, '');
  const items = readReleases(packages).map((release) => {
    const link = `${home}/changelog/#${release.anchor}`;
    return [
      '    <item>',
      `      <title>${escapeXml(`${release.package} ${release.version}`)}</title>`,
      `      <link>${escapeXml(link)}</link>`,
      `      <guid isPermaLink="true">${escapeXml(link)}</guid>`,
      `      <description>${escapeXml(marked.parse(release.text, { async: false }))}</description>`,
      '    </item>',
    ].join('\n');
  });
  const feed = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">',
    '  <channel>',
    '    <title>Speech API: changelog</title>',
    `    <link>${escapeXml(`${home}/changelog/`)}</link>`,
    `    <atom:link href="${escapeXml(`${home}/changelog.xml`)}" rel="self" type="application/rss+xml"/>`,
    '    <description>Changes of the specification and of the packages. Each line says who has to do what.</description>',
    '    <language>en</language>',
    ...items,
    '  </channel>',
    '</rss>',
    '',
  ];
  return new Response(feed.join('\n'), { headers: { 'content-type': 'application/rss+xml' } });
};

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
