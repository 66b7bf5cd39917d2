// Reasons against releasing a commit, whatever its packages contain: versions, change files and uncommitted files.
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { installedProgram } from '@speech-api/run/program';
import { git } from './changes.ts';

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

/** The packed files must be those of the commit. A program that was tried may have left new ones. */
export function checkClean(): string[] {
  const changed = git('diff', '--name-only', 'HEAD');
  const added = git('ls-files', '--others', '--exclude-standard');
  return [
    ...(changed === '' ? [] : [`Files differ from the commit. Commit or restore them:\n${changed}`]),
    ...(added === '' ? [] : [`Files are not in the commit. Move, remove or commit them:\n${added}`]),
  ];
}

/** The changelogs are written from the commits since the last release. */
export function checkHistory(): string[] {
  return git('rev-parse', '--is-shallow-repository') === 'true'
    ? ['This clone lacks the commits that a changelog is made of. Run git fetch --unshallow.']
    : [];
}

/** Every change file must have become a version. */
export function checkChanges(root: string): string[] {
  const pending = globSync('.changeset/*.md', { cwd: root }).filter((path) => !/README/.test(path));
  return pending.length > 0
    ? [`${pending.length} change files wait for a version. Run npx pnpm version -r and commit.`]
    : [];
}
