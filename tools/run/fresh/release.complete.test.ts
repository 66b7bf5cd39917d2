import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serveArchives } from '../src/registry.ts';
import { base, clone, root, start, succeed } from './clone.ts';

test('npm run release -- --dry-run packs and checks every package, and publishes nothing', async () => {
  const { stdout } = await succeed('npm run --silent release -- --dry-run --json');
  const { packages, problems, tasks } = JSON.parse(stdout);
  expect(problems).toEqual([]);
  expect(packages.length).toBeGreaterThan(12);
  for (const { archive } of packages)
    expect(statSync(join(clone, 'out/release', archive)).size, archive).toBeGreaterThan(1000);
  expect(readdirSync(join(clone, 'out/release/sbom'))).toHaveLength(packages.length);
  const { repository } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
  expect(tasks.join().includes('placeholder')).toBe(repository.url.includes('.example/'));
  // With this file, the workflow would publish.
  expect(readdirSync(join(clone, 'out/release'))).not.toContain('release.json');
  // The other runtimes, 350 MB, are installed for their suites alone.
  expect(readdirSync(join(clone, 'tools/runtimes'))).not.toContain('node_modules');
}, 900_000);

const packages = ['client', 'mock', 'contract'];
const names = packages.map((name) => `@speech-api/${name}`).join(' ');
const pnpm = `npx -y ${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager}`;
const projects: Readonly<Record<string, readonly [install: string, update: string]>> = {
  npm: [`npm install ${names}`, 'npm update'],
  pnpm: [`${pnpm} add ${names}`, `${pnpm} update --latest '@speech-api/*'`],
  yarn: [`npx -y @yarnpkg/cli-dist@4 add ${names}`, "npx -y @yarnpkg/cli-dist@4 up '@speech-api/*'"],
  bun: [`npx -y bun@1 add ${names}`, 'npx -y bun@1 update'],
};

test('two releases with npm run release -- --to: each package manager updates all packages at once', async () => {
  const registry = await serveArchives([]);
  onTestFinished(() => registry.close());
  writeFileSync(join(base, 'home/.npmrc'), `//${new URL(registry.url).host}/:_authToken=a-token\n`);
  const publish = async (): Promise<string> => {
    const { stdout } = await succeed(`npm run --silent release -- --to ${registry.url}`);
    return /^@speech-api\/client (0\.\d+\.\d+-next\.\d{14}\.g[0-9a-f]+)$/m.exec(stdout)?.[1] ?? '';
  };
  const read = (project: string, name: string, file: string): string =>
    readFileSync(join(base, project, 'node_modules/@speech-api', name, file), 'utf8');
  const versionsIn = (project: string): Set<string> =>
    new Set(packages.map((name) => JSON.parse(read(project, name, 'package.json')).version));
  // The judge needs a newer Node than the machine may have.
  const inProject = (project: string, command: string) =>
    succeed(`export PATH="$PWD/node_modules/node/bin:$PATH"; cd ../${project} && ${command}`);
  const first = await publish();
  for (const [project, [install]] of Object.entries(projects)) {
    mkdirSync(join(base, project));
    const write = (file: string, text: string) => writeFileSync(join(base, project, file), text);
    write('package.json', '{"private":true,"type":"module"}');
    write('.npmrc', `@speech-api:registry=${registry.url}\n`);
    if (project === 'yarn') {
      write('yarn.lock', '');
      write('.yarnrc.yml', yarnSettings(registry.url));
    }
    await inProject(project, install);
    expect(versionsIn(project), project).toEqual(new Set([first]));
  }
  appendFileSync(join(clone, 'packages/client/README.md'), '\nOne more line.\n');
  writeFileSync(join(clone, 'tea.mp3'), '');
  const { stderr } = await start(`npm run release -- --to ${registry.url}`).ended;
  expect(stderr).toContain(
    'Files differ from the commit. Commit or restore them:\npackages/client/README.md\n',
  );
  expect(stderr).toContain('Files are not in the commit. Move, remove or commit them:\ntea.mp3\n');
  expect(stderr).not.toContain('public');
  rmSync(join(clone, 'tea.mp3'));
  await succeed('git -c user.name=a -c user.email=a@b commit --quiet --all --message "Add a line"');
  const second = await publish();
  for (const [project, [, update]] of Object.entries(projects)) {
    await inProject(project, update);
    expect(versionsIn(project), project).toEqual(new Set([second]));
    expect(read(project, 'client', 'CHANGELOG.md'), project).toContain(`## ${second}\n\n- Add a line\n`);
  }
}, 900_000);

/** The settings of the page Install, and leave to use a registry without https. */
const yarnSettings = (url: string): string => `nodeLinker: node-modules
unsafeHttpWhitelist: ['127.0.0.1']
npmScopes:
  ${'@speech-api'.slice(1)}:
    npmRegistryServer: ${url}
npmPreapprovedPackages: ['@speech-api/*']
`;
