// The changelog that a release to a company's registry carries: what each release there brought to those who install a package.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Packed } from '@speech-api/run/packed';
import { root } from './api-reports.ts';

export function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe', maxBuffer: 1 << 26 }).trim();
}

/** The changelog of a package, with a section for each of these versions that changed something; the last one is the newest. */
export function changelogOf({ manifest, source }: Packed, versions: readonly string[]): string {
  const folder = relative(root, source).replaceAll('\\', '/');
  const committed = readFileSync(join(source, 'CHANGELOG.md'), 'utf8');
  const [heading = '', ...released] = committed.split(/^(?=## )/m);
  // Before the first public release there are no change files, only commits. Those of a bundled package count as well.
  const bundled = Object.keys(manifest.devDependencies ?? {}).map((name) => `packages/${name.split('/')[1]}`);
  const linesOf = released.length > 0 ? changeFiles(manifest.name) : commits([folder, ...bundled]);
  const sections = releasesIn(versions).map(({ version, commit }, index, releases) => {
    const before = releases[index - 1]?.commit;
    if (before === undefined) return `## ${version}\n\nThe first release in this registry.\n`;
    const lines = linesOf(before, commit).map((line) => `- ${line}\n`);
    const declarations = git('diff', '--unified=0', before, commit, '--', `${folder}/api.txt`)
      .split('\n')
      .filter((line) => /^[-+](?![-+]{2} )/.test(line));
    if (declarations.length > 0)
      lines.push(
        '\nIn the declarations, `api.txt`:\n\n```diff\n',
        ...declarations.map((line) => `${line}\n`),
        '```\n',
      );
    return `## ${version}\n\n${lines.join('') || 'Released with the other packages; nothing changed here.\n'}`;
  });
  return [`${heading.trimEnd()}\n\n`, sections.reverse().join('\n'), ...released].join('');
}

/** The releases among these versions whose commits lead to this one, the oldest first. */
function releasesIn(versions: readonly string[]): { version: string; commit: string }[] {
  const commits = git('log', '--format=%H').split('\n');
  return versions
    .flatMap((version) => {
      const [, short] = /\.g([0-9a-f]+)$/.exec(version) ?? [];
      const index = short === undefined ? -1 : commits.findIndex((commit) => commit.startsWith(short));
      return index < 0 ? [] : [{ version, commit: commits[index] ?? '', index }];
    })
    .sort((left, right) => right.index - left.index);
}

type Lines = (before: string, commit: string) => string[];

const commits =
  (folders: readonly string[]): Lines =>
  (before, commit) =>
    linesIn('log', '--format=%s', `${before}..${commit}`, '--', ...folders, ...unseen);

/** Files that no user sees change: tests, and the reports whose differences are shown as such. */
const unseen = [':!*.test.ts', ':!*.test-d.ts', ':!*/api.txt'];

const changeFiles =
  (name: string): Lines =>
  (before, commit) =>
    linesIn('diff', '--diff-filter=A', '--name-only', before, commit, '--', '.changeset/*.md')
      .map((file) => git('show', `${commit}:${file}`).split(/^---$/m))
      .flatMap(([, packages = '', text = '']) => (packages.includes(`"${name}"`) ? [text.trim()] : []));

const linesIn = (...args: readonly string[]): string[] =>
  git(...args)
    .split('\n')
    .filter(Boolean);
