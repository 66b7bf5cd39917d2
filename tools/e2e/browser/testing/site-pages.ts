import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { complete } from '@speech-api/config/suite';

const directory = fileURLToPath(new URL('../../../../apps/docs/dist/', import.meta.url));

export function sitePages(): string[] {
  return globSync('**/*.html', { cwd: directory })
    .map((file) => `/${file.replaceAll('\\', '/').replace(/(^|\/)index\.html$/, '$1')}`)
    .sort();
}

/** Pages with a layout of their own, besides the first page of each kind. */
const chosen = [
  '/',
  '/404.html',
  '/unknowns/',
  '/errors/',
  '/reference/create-speech/',
  // Names of fields that are wider than their column.
  '/reference/stream-speech-with-timestamps/',
  '/reference/schemas/',
  // A table that is wider than a phone.
  '/guides/models/',
];

/** A page of each kind; in the complete run, all of them. */
export function sampledPages(): string[] {
  const all = sitePages();
  if (complete) return all;
  const kinds = new Map<string, string>();
  for (const path of all) {
    const [, part = '', ...rest] = path.split('/');
    const kind = part === 'playground' ? path : `${part} ${rest.length}`;
    if (!kinds.has(kind)) kinds.set(kind, path);
  }
  return [...new Set([...chosen, ...kinds.values()])];
}
