import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.second-build');

/** Environment variables of the test runner that the builder would read as its own. */
const ofTheRunner = /^(?:BASE_URL|MODE|DEV|PROD|SSR|TEST|VITEST.*|DOCS_.*|SITE_URL|REPOSITORY_URL)$/;

/** Folder of the second build. */
export const secondBuild = join(folder, 'site');

/**
 * Builds the site once more, for a public address with a path, from a changed copy of the specification.
 * Inside the workspace, because the build imports what is installed there.
 */
export async function buildAgain(address: string, change: (document: string) => string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const document = readFileSync(new URL(import.meta.resolve('@speech-api/spec/openapi.json')), 'utf8');
  const changed = join(folder, 'openapi.json');
  writeFileSync(changed, change(document));
  const astro = fileURLToPath(new URL('node_modules/astro/bin/astro.mjs', `file://${root}`));
  await promisify(execFile)(process.execPath, [astro, 'build', '--outDir', secondBuild], {
    cwd: root,
    maxBuffer: 64 * 2 ** 20,
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofTheRunner.test(name))),
      NODE_ENV: 'production',
      SITE_URL: address,
      REPOSITORY_URL: 'https://code.speech.test/site',
      DOCS_OPENAPI: changed,
      DOCS_QUICK: '1',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
  });
}

/** Takes the second build away. */
export function removeSecondBuild(): void {
  rmSync(folder, { recursive: true, force: true });
}
