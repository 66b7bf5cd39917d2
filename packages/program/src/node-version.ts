// Imports nothing else: an older Node may not even be able to link it.
import { readFileSync } from 'node:fs';

/**
 * Checks that this Node is new enough for the package whose package.json is one folder above a module.
 *
 * @throws Error that names the version it needs, the one it found, and how to get a newer one
 */
export function checkNode(moduleUrl: string, version: string = process.versions.node): void {
  const { name, engines } = JSON.parse(readFileSync(new URL('../package.json', moduleUrl), 'utf8'));
  const [needed = '0'] = String(engines.node).match(/[\d.]+/) ?? [];
  if (version.localeCompare(needed, 'en', { numeric: true }) >= 0) return;
  throw new Error(
    `${name} needs Node ${needed} or newer; this is Node ${version}. "npm install node@latest" adds a newer one to your project.`,
  );
}

/** Loads the program of a package, or ends with 2 and the reason when this Node is too old for it. */
export async function startProgram(moduleUrl: string, load: () => Promise<unknown>): Promise<void> {
  try {
    checkNode(moduleUrl);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 2;
    return;
  }
  await load();
}

/** The version in the package.json one folder above a module. A company that publishes its own changes it there. */
export function versionOf(moduleUrl: string): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', moduleUrl), 'utf8'));
  return String(version);
}
