// What speaks against releasing a commit, whatever its packages contain: change files, versions and uncommitted files.
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { installedProgram } from '@speech-api/run/program';
import { findLastRelease } from './last-release.ts';
import { askFor, declarations, findUnnamed } from './require-change-files.ts';

/** Before the first release, the API is compared with main, as in the hosted check. */
export function checkDeclarations(root: string): { problems: string[]; tasks: string[] } {
  const base = findLastRelease(root).tag ?? 'origin/main';
  try {
    const unnamed = findUnnamed(root, base, declarations);
    return { problems: unnamed.length > 0 ? [askFor(unnamed)] : [], tasks: [] };
  } catch {
    const task = `This clone lacks ${base}, with which the API is compared. Run git fetch origin main --tags.`;
    return { problems: [], tasks: [task] };
  }
}

/** pnpm compares the versions of packages that share one, and reads the change files. */
export function checkVersions(root: string): string[] {
  try {
    const [program, words, shell] = installedProgram('pnpm', ['change', 'check']);
    execFileSync(program, words, { cwd: root, encoding: 'utf8', stdio: 'pipe', ...shell });
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return [`pnpm change check refuses the versions or the change files: ${(stdout + stderr).trim()}`];
  }
}

/** What is packed has to be what the commit says. */
export function checkClean(root: string): string[] {
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }).trimEnd();
  return changed === '' ? [] : [`Files differ from the commit. Commit, restore or remove them:\n${changed}`];
}

/** Every change file has become a version, and that version comes after the last release. */
export function checkChanges(root: string, version: string): string[] {
  const pending = globSync('.changeset/*.md', { cwd: root }).filter((path) => !/README/.test(path));
  const { tag } = findLastRelease(root);
  return [
    ...(pending.length > 0
      ? [`${pending.length} change files wait for a version. Run npx pnpm version -r and commit.`]
      : []),
    ...(tag !== undefined && `v${version}`.localeCompare(tag, 'en', { numeric: true }) <= 0
      ? [`${tag} is released already, and ${version} does not come after it. Use a higher version.`]
      : []),
  ];
}
