import { spawnSync } from 'node:child_process';
import { documentationUrl } from '@speech-api/types/constants';

/** Where the site is published: `SITE_URL`, else the address in the specification. Undefined until there is one. */
export const siteAddress = readAddress('SITE_URL', process.env.SITE_URL || documentationUrl);

/** The path below which the site is served, with a slash at its end. */
export const siteBase = (process.env.DOCS_BASE ?? siteAddress?.pathname ?? '/').replace(/\/*$/, '/');

/** Where the sources are, for links that edit a page or report a problem. */
export const repository = readAddress('REPOSITORY_URL', process.env.REPOSITORY_URL)?.href.replace(/\/*$/, '');

/** Where the sources of the pages are edited. */
export const editAddress = repository && `${repository}/edit/main/apps/docs/`;

/** Where a problem of a page is reported. */
export function reportAddress(path: string): string | undefined {
  return repository && `${repository}/issues/new?${new URLSearchParams({ title: `Page ${path}` })}`;
}

/** Whether git knows when each page was changed: not in an archive, nor in a clone without its history. */
export function hasHistory(): boolean {
  const { stdout } = spawnSync('git', ['rev-parse', '--is-shallow-repository'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return stdout?.trim() === 'false';
}

function readAddress(name: string, value: string | undefined): URL | undefined {
  if (!value) return undefined;
  if (/^https?:/.test(value) && URL.canParse(value)) return new URL(value);
  throw new Error(`${name} ${JSON.stringify(value)} is not an address; write it as https://docs.mine.org/`);
}
