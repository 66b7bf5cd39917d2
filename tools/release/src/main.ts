// `npm run release`: checks and packs everything that is published, for the workflow that publishes it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type Packed, packAll } from '@speech-api/run/packed';
import { readReports, root } from './api-reports.ts';
import { checkArchive } from './check-archive.ts';
import { compileLastConsumers, findLastRelease } from './last-release.ts';
import { findUnnamed, readPackages } from './require-change-files.ts';

const folder = join(root, 'out/release');
/** Windows starts the programs of node_modules/.bin by a shell. */
const shell = process.platform === 'win32';

/** What a release would publish, and what speaks against it. `release.json` in the folder of the release. */
interface Release {
  readonly commit: string;
  readonly packages: readonly { name: string; version: string; archive: string; integrity: string }[];
  /** The release would be refused for each of these. */
  readonly problems: readonly string[];
  /** A dry run only mentions these; without --dry-run they are problems. */
  readonly notes: readonly string[];
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000 }).trim();

/** Packs everything into the folder, each with its bill of materials, and checks it. */
async function prepare(): Promise<Release> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'sbom'), { recursive: true });
  const tell = (name: string, count: number, total: number) =>
    process.stderr.write(`Packing ${count} of ${total}: ${name}\n`);
  const { packages, remove } = await packAll({ tell });
  try {
    for (const { archive } of packages) copyFileSync(archive, join(folder, basename(archive)));
    writeBillsOfMaterials(packages);
    const last = await checkLastConsumers();
    return {
      commit: git('rev-parse', 'HEAD'),
      packages: packages.map(({ manifest: { name, version }, archive }) => ({
        name,
        version,
        archive: basename(archive),
        integrity: `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`,
      })),
      problems: [
        ...packages.flatMap(checkArchive),
        ...readReports()
          .filter(({ committed, built }) => committed !== built)
          .map(({ path }) => `${path} is not what the package declares. Run npm run api.`),
        ...checkVersions(),
        ...checkBills(packages),
        ...last.problems,
      ],
      notes: [...checkAddress(packages), ...checkChanges(packages), ...checkClean(), ...last.notes],
    };
  } finally {
    remove();
  }
}

/** CycloneDX, one for each package: what comes with it when it is installed. */
function writeBillsOfMaterials(packages: readonly Packed[]): void {
  const filters = packages.flatMap(({ manifest }) => ['--filter', manifest.name]);
  const out = join(folder, 'sbom', '%s.cdx.json');
  const options = ['sbom', '--sbom-format', 'cyclonedx', '--prod', '--split', '--out', out];
  execFileSync('pnpm', [...filters, ...options], { cwd: root, stdio: 'pipe', shell });
}

function checkBills(packages: readonly Packed[]): string[] {
  return packages.flatMap(({ manifest: { name }, archive }) => {
    const bill = `${basename(archive).replace(/-[\d.]+[^-]*\.tgz$/, '')}.cdx.json`;
    return globSync(bill, { cwd: join(folder, 'sbom') }).length === 1
      ? []
      : [`${name} has no bill of materials: pnpm sbom wrote no ${bill}.`];
  });
}

/** pnpm compares the versions of packages that share one, and reads the change files. */
function checkVersions(): string[] {
  try {
    execFileSync('pnpm', ['change', 'check'], { cwd: root, encoding: 'utf8', stdio: 'pipe', shell });
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return [`pnpm change check refuses the versions or the change files: ${(stdout + stderr).trim()}`];
  }
}

function checkAddress(packages: readonly Packed[]): string[] {
  const url = packages[0]?.manifest.repository?.url ?? '';
  return /\.example\//.test(url)
    ? [`The repository is a placeholder: ${url}. Set repository, homepage and bugs in package.json.`]
    : [];
}

/** What is packed has to be what the commit says. */
function checkClean(): string[] {
  const changed = git('status', '--porcelain', '--untracked-files=no');
  return changed === '' ? [] : [`Files differ from the commit. Commit or restore them:\n${changed}`];
}

/** Every change file has become a version, and every change since the last release had one. */
function checkChanges(packages: readonly Packed[]): string[] {
  const pending = globSync('.changeset/*.md', { cwd: root }).filter((path) => !/README/.test(path));
  const { tag } = findLastRelease();
  const version = packages.find(({ manifest }) => manifest.name.endsWith('/client'))?.manifest.version;
  const changed = tag === undefined ? [] : git('diff', '--name-only', `${tag}...HEAD`).split('\n');
  const texts = pending.map((path) => readFileSync(join(root, path), 'utf8'));
  const unnamed = tag === `v${version}` ? findUnnamed(changed, readPackages(), texts) : [];
  return [
    ...(pending.length > 0
      ? [`${pending.length} change files wait for a version. Run npx pnpm version -r and commit.`]
      : []),
    ...(tag === `v${version}`
      ? [`${tag} is released already. Its changes need a version of their own.`]
      : []),
    ...unnamed.map((name) => `${name} has changed since ${tag}, and no change file says so.`),
  ];
}

/** Programs of the last release have to compile, as SUPPORT.md promises for six months. */
async function checkLastConsumers(): Promise<{ readonly problems: string[]; readonly notes: string[] }> {
  process.stderr.write('Compiling programs written for the last release ...\n');
  const { commit } = findLastRelease();
  const errors = await compileLastConsumers(commit);
  if (errors === undefined) {
    const lacking = `This clone does not have ${commit}, the last release. Run git fetch --unshallow --tags.`;
    return { problems: [], notes: [lacking] };
  }
  const told = `Programs of the last release no longer compile. Keep what they use, deprecated:\n${errors}`;
  return { problems: errors === '' ? [] : [told], notes: [] };
}

function say({ packages, problems, notes }: Release, isDry: boolean): void {
  for (const { name, version, archive } of packages)
    process.stdout.write(
      `${`${name} ${version}`.padEnd(40)}${relative(process.cwd(), join(folder, archive))}\n`,
    );
  const heads = isDry ? ['To do before a release:', 'Refused:'] : ['Refused:', 'Refused:'];
  for (const [index, lines] of [notes, problems].entries())
    for (const line of lines) process.stderr.write(`${heads[index]} ${line}\n`);
}

try {
  const options = { 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options });
  const isDry = values['dry-run'] === true;
  const release = await prepare();
  const text = `${JSON.stringify(release, null, 2)}\n`;
  if (values.json) process.stdout.write(text);
  else say(release, isDry);
  const refused = release.problems.length + (isDry ? 0 : release.notes.length);
  // Without it, nothing is published.
  if (refused === 0 && !isDry) writeFileSync(join(folder, 'release.json'), text);
  process.exitCode = refused === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
}
