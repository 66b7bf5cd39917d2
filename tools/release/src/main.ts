// `npm run release`: checks and packs everything that is published, for the workflow that publishes it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import supported from '@speech-api/config/supported-versions' with { type: 'json' };
import { type Packed, packAll } from '@speech-api/run/packed';
import { installedProgram } from '@speech-api/run/program';
import { readReports, root } from './api-reports.ts';
import { checkArchive, checkBill } from './check-archive.ts';
import { checkChanges, checkClean, checkDeclarations, checkVersions } from './check-commit.ts';
import { compileLastConsumers, findLastRelease } from './last-release.ts';

const folder = join(root, 'out/release');

/** What a release would publish, and what speaks against it. `release.json` in the folder of the release. */
interface Release {
  readonly commit: string;
  readonly packages: readonly { name: string; version: string; archive: string; integrity: string }[];
  /** The release would be refused for each of these. */
  readonly problems: readonly string[];
  /** A dry run only mentions these; without --dry-run they are problems. */
  readonly tasks: readonly string[];
  /** Worth knowing, and no reason to refuse the release. */
  readonly notes: readonly string[];
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

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
    const last = await checkLastConsumers(packages);
    const declared = checkDeclarations(root);
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
          .map(
            ({ path }) =>
              `${path} is not what the package declares. Run npm run api, and say in a change file what callers have to change.`,
          ),
        ...declared.problems,
        ...checkVersions(root),
        ...checkBills(packages),
        ...last.problems,
      ],
      tasks: [
        ...checkAddress(packages),
        ...checkChanges(root, sharedVersion(packages)),
        ...checkClean(root),
        ...declared.tasks,
        ...last.tasks,
      ],
      notes: [...endedNodes(), ...last.notes],
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
  const [program, words, shell] = installedProgram('pnpm', [...filters, ...options]);
  execFileSync(program, words, { cwd: root, stdio: 'pipe', ...shell });
}

function checkBills(packages: readonly Packed[]): string[] {
  return packages.flatMap(({ manifest: { name, version }, archive }) => {
    const bill = `${basename(archive, `-${version}.tgz`)}.cdx.json`;
    const path = join(folder, 'sbom', bill);
    return existsSync(path)
      ? checkBill(name, JSON.parse(readFileSync(path, 'utf8')))
      : [`${name} has no bill of materials: pnpm sbom wrote no ${bill}.`];
  });
}

function checkAddress(packages: readonly Packed[]): string[] {
  const url = packages[0]?.manifest.repository?.url ?? '';
  return /\.example\//.test(url)
    ? [`The repository is a placeholder: ${url}. Set repository, homepage and bugs in package.json.`]
    : [];
}

/** The version that the release is tagged with. */
const sharedVersion = (packages: readonly Packed[]): string =>
  packages.find(({ manifest }) => manifest.name.endsWith('/client'))?.manifest.version ?? '';

/** Programs of the last release have to compile until a major version, as SUPPORT.md promises. */
async function checkLastConsumers(
  packages: readonly Packed[],
): Promise<Omit<Release, 'commit' | 'packages'>> {
  process.stderr.write('Compiling programs written for the last release ...\n');
  const found = { problems: [], tasks: [], notes: [] };
  const { tag, commit } = findLastRelease();
  const errors = await compileLastConsumers(commit);
  if (errors === undefined) {
    // A shallow clone has no tags, whatever was released.
    return git('rev-parse', '--is-shallow-repository') === 'true'
      ? { ...found, tasks: ['This clone may lack the last release. Run git fetch --unshallow --tags.'] }
      : { ...found, notes: ['There is no earlier release whose programs could be compiled.'] };
  }
  if (errors === '') return found;
  const [major] = sharedVersion(packages).split('.');
  if (tag !== undefined && !tag.startsWith(`v${major}.`))
    return { ...found, notes: [`Programs of ${tag} do not compile with this major version:\n${errors}`] };
  const problem = `Programs of the last release no longer compile. Keep what they use, deprecated:\n${errors}`;
  return { ...found, problems: [problem] };
}

/** A version of Node goes in a major version only, and may stay beyond its date. */
function endedNodes(): string[] {
  const today = new Date().toISOString().slice(0, 10);
  return supported.node
    .filter(({ until }) => until < today)
    .map(({ major, until }) => `Node ${major} is promised until ${until}. A major version may drop it.`);
}

function say({ packages, problems, tasks, notes }: Release, isDry: boolean): void {
  for (const { name, version, archive } of packages)
    process.stdout.write(
      `${`${name} ${version}`.padEnd(40)}${relative(process.cwd(), join(folder, archive))}\n`,
    );
  const tell = (head: string, lines: readonly string[]) => {
    for (const line of lines) process.stderr.write(`${head}: ${line}\n`);
  };
  tell('Note', notes);
  tell(isDry ? 'To do before a release' : 'Refused', tasks);
  tell('Refused', problems);
  if (isDry)
    process.stderr.write(
      `A dry run: nothing was published. ${problems.length} problems, ${tasks.length} things to do before a release.\n`,
    );
}

try {
  const options = { 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options });
  const isDry = values['dry-run'] === true;
  const release = await prepare();
  const text = `${JSON.stringify(release, null, 2)}\n`;
  if (values.json) process.stdout.write(text);
  else say(release, isDry);
  const refused = release.problems.length + (isDry ? 0 : release.tasks.length);
  // Without it, nothing is published.
  if (refused === 0 && !isDry) writeFileSync(join(folder, 'release.json'), text);
  process.exitCode = refused === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
}
