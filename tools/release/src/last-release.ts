import { execFile, execFileSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedProgram } from '@speech-api/run/program';
import { root } from './api-reports.ts';

/** The commit that stands for the last release until there is one. */
const before = 'de686950';

/** The tag of the last release, and the commit with which today's packages are compared. */
export function findLastRelease(folder = root): {
  readonly tag: string | undefined;
  readonly commit: string;
} {
  const tags = execFileSync('git', ['tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-v:refname'], {
    cwd: folder,
    encoding: 'utf8',
  });
  // The release workflow makes tags of this form only. Others may name anything.
  const tag = tags.split('\n').find((name) => /^v\d+\.\d+\.\d+$/.test(name));
  return { tag, commit: tag ?? before };
}

/**
 * Compiles the samples and recipes of the last release against the packages of today, as the programs of its users
 * would be after an update. Resolves with the compiler's errors, or with `undefined` where the clone lacks that commit.
 */
export async function compileLastConsumers(commit: string): Promise<string | undefined> {
  const folder = join(root, 'tools/recipes/out/last-release');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const programs = ['tools/recipes/recipes', 'spec/samples'];
  let archive: Buffer;
  try {
    archive = execFileSync('git', ['archive', commit, ...programs], {
      cwd: root,
      maxBuffer: 64_000_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
  execFileSync('tar', ['-xf', '-'], { cwd: folder, input: archive });
  if (globSync('**/*.ts', { cwd: folder }).length === 0) return `${commit} has no programs to compile.`;
  const settings = { extends: '../../tsconfig.json', include: ['**/*.ts'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const [program, words, shell] = installedProgram('pnpm', ['exec', 'tsc', '-p', folder]);
  return promisify(execFile)(program, words, { cwd: join(root, 'tools/recipes'), ...shell }).then(
    () => '',
    // A compiler that could not start prints nothing to stdout.
    ({ stdout, stderr, message }) => stdout?.trim() || stderr?.trim() || message,
  );
}
