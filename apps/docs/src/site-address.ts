import { spawnSync } from 'node:child_process';
import { documentationUrl } from '@speech-api/types/constants';

/**
 * Public address of the site: `SITE_URL`, else the address in the specification; undefined without either.
 */
export const siteAddress = readAddress('SITE_URL', process.env.SITE_URL || documentationUrl);

/** The path below which the site is served, with a slash at its end. */
export const siteBase = (process.env.DOCS_BASE ?? siteAddress?.pathname ?? '/').replace(/\/*$/, '/');

/** Address of the sources, for links that edit a page. */
export const repository = readAddress('REPOSITORY_URL', process.env.REPOSITORY_URL)?.href.replace(/\/*$/, '');

/** Address for editing the sources of the pages. */
export const editAddress = repository && `${repository}/edit/main/apps/docs/`;

/** Whether git knows when each page changed; it does not in an archive or in a clone without its history. */
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
