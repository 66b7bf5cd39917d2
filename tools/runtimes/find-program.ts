import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Each runtime has one package per platform: their scope, and the path of the program in each. */
const builds = {
  bun: ['@oven', 'bin/bun'],
  deno: ['@deno', 'deno'],
  workerd: ['@cloudflare', 'bin/workerd'],
} as const;

/** The path of a runtime's program; undefined if this workspace is not installed or there is no build for this machine. */
export function findProgram(name: keyof typeof builds): string | undefined {
  const installed = join(import.meta.dirname, 'node_modules', name);
  if (!existsSync(installed)) return undefined;
  const [scope, program] = builds[name];
  const file = process.platform === 'win32' ? `${program}.exe` : program;
  // Only the build for this machine is installed, beside the package itself.
  const folder = join(dirname(realpathSync(installed)), scope);
  return readdirSync(folder)
    .map((build) => join(folder, build, file))
    .find(existsSync);
}
