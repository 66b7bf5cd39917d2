import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const directory = fileURLToPath(new URL('../../../../apps/docs/dist/', import.meta.url));

/** Addresses of all pages of the built site, such as `/guides/speech/`. */
export function sitePages(): string[] {
  return globSync('**/*.html', { cwd: directory })
    .map((file) => `/${file.replaceAll('\\', '/').replace(/(^|\/)index\.html$/, '$1')}`)
    .sort();
}
