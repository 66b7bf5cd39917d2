// `npm run release`: checks and packs everything that is published, for the workflow that publishes it, or publishes it to
// the registry of a company.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type Packed, packAll } from '@speech-api/run/packed';
import { installedProgram } from '@speech-api/run/program';
import { readReports, root } from './api-reports.ts';
import { git } from './changes.ts';
import { checkArchive, checkBill } from './check-archive.ts';
import { checkChanges, checkClean, checkHistory, checkVersions } from './check-commit.ts';
import { publishTo } from './publish-to.ts';

const folder = join(root, 'out/release');

/** The contents of a release and the reasons against it. `release.json` in the folder of the release. */
interface Release {
  readonly commit: string;
  readonly packages: readonly { name: string; version: string; archive: string; integrity: string }[];
  /** The release would be refused for each of these. */
  readonly problems: readonly string[];
  /** These only prevent that it is published. */
  readonly tasks: readonly string[];
}

/** Checks the packed packages, and puts them into the folder, each with its bill of materials. */
function prepare(packages: readonly Packed[], isPublic: boolean): Release {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'sbom'), { recursive: true });
  for (const { archive } of packages) copyFileSync(archive, join(folder, basename(archive)));
  writeBillsOfMaterials(packages);
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
          ({ path }) => `${path} is not what the package declares. Run npm run api and read the difference.`,
        ),
      ...checkVersions(root),
      ...checkBills(packages),
    ],
    tasks: [
      ...checkClean(),
      ...(isPublic ? [...checkAddress(packages), ...checkChanges(root)] : checkHistory()),
    ],
  };
}

/** Writes a CycloneDX file for each package, which lists all packages installed with it. */
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

function print({ packages, problems, tasks }: Release, isDry: boolean): void {
  for (const { name, version, archive } of packages)
    process.stdout.write(
      `${`${name} ${version}`.padEnd(40)}${relative(process.cwd(), join(folder, archive))}\n`,
    );
  const warn = (head: string, lines: readonly string[]) => {
    for (const line of lines) process.stderr.write(`${head}: ${line}\n`);
  };
  warn(isDry ? 'To do before a release' : 'Refused', tasks);
  warn('Refused', problems);
  if (isDry)
    process.stderr.write(
      `A dry run: nothing was published. ${problems.length} problems, ${tasks.length} things to do before a release.\n`,
    );
}

/** Publishes to a company's registry, and prints how to install it. */
function publishToCompany(registry: string, packages: readonly Packed[]): void {
  // The commit's time increases with each change, and the same commit has the same version in every clone.
  const [time = '', commit = ''] = git(
    'log',
    '-1',
    '--format=%cd %h',
    '--date=format-local:%Y%m%d%H%M%S',
  ).split(' ');
  publishTo(registry, packages, { suffix: `next.${time}.g${commit}`, changes: join(folder, 'changes') });
  const [scope] = packages[0]?.manifest.name.split('/') ?? [];
  process.stdout.write(`
What changed is in the CHANGELOG.md of each package, and in ${relative(process.cwd(), join(folder, 'changes'))}.
To install them in a project, put this line into its .npmrc and run npm install ${scope}/client:
${scope}:registry=${registry}
`);
}

let remove = () => {};
try {
  const options = {
    'dry-run': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    to: { type: 'string' },
  } as const;
  const { values } = parseArgs({ options });
  const { to, 'dry-run': isDry } = values;
  if (to !== undefined && !/^https?:\/\//.test(to))
    throw new TypeError(`--to is "${to}"; use the address of a registry, such as https://npm.example.com.`);
  const packed = await packAll({ isLoud: true });
  remove = packed.remove;
  const release = prepare(packed.packages, to === undefined);
  const text = `${JSON.stringify(release, null, 2)}\n`;
  if (values.json) process.stdout.write(text);
  else print(release, isDry);
  const refused = release.problems.length + (isDry ? 0 : release.tasks.length);
  process.exitCode = refused === 0 ? 0 : 1;
  if (to === undefined) {
    // The workflow only publishes what this file names.
    if (refused === 0 && !isDry) writeFileSync(join(folder, 'release.json'), text);
  } else if (!isDry) {
    if (refused === 0) publishToCompany(to, packed.packages);
    else process.stderr.write('Nothing was published.\n');
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
} finally {
  remove();
}
