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
import { base, clone, start, succeed } from './clone.ts';

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
}, 900_000);

test('what npm run release -- --to publishes can be installed, locked and updated elsewhere', async () => {
  const registry = await serveArchives([]);
  onTestFinished(() => registry.close());
  writeFileSync(join(base, 'home/.npmrc'), `//${new URL(registry.url).host}/:_authToken=a-token\n`);
  const publish = () => succeed(`npm run --silent release -- --to ${registry.url}`);
  const { stdout } = await publish();
  expect(stdout).toMatch(/^@speech-api\/client 0\.\d+\.\d+-next\.\d{14}\.g[0-9a-f]+$/m);
  const projects = {
    npm: ['npm install @speech-api/client@next', 'npm ci', 'npm install @speech-api/client@next'],
    pnpm: [
      'pnpm add @speech-api/client@next',
      'pnpm install --frozen-lockfile',
      'pnpm add @speech-api/client@VERSION',
    ],
  };
  const inProject = (name: string, command: string) =>
    succeed(`cd ../${name} && ${command.replace(/^pnpm/, `npx -y ${packageManager}`)}`);
  const installed = (name: string): string =>
    JSON.parse(readFileSync(join(base, name, 'node_modules/@speech-api/client/package.json'), 'utf8'))
      .version;
  const { packageManager } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
  for (const [name, [install = '']] of Object.entries(projects)) {
    mkdirSync(join(base, name));
    writeFileSync(join(base, name, 'package.json'), '{"private":true}');
    writeFileSync(join(base, name, '.npmrc'), `@speech-api:registry=${registry.url}\n`);
    await inProject(name, install);
  }
  const first = installed('npm');
  appendFileSync(join(clone, 'packages/client/README.md'), '\nOne more line.\n');
  expect((await start(`npm run release -- --to ${registry.url}`).ended).stderr).toContain('Files differ');
  await succeed('git -c user.name=a -c user.email=a@b commit --quiet --all --message "Add a line"');
  const published = await publish();
  const second = /^@speech-api\/client (.+-next.+)$/m.exec(published.stdout)?.[1] ?? '';
  for (const [name, [, reinstall = '', update = '']] of Object.entries(projects)) {
    rmSync(join(base, name, 'node_modules'), { recursive: true });
    await inProject(name, reinstall);
    expect(installed(name), name).toBe(first);
    await inProject(name, update.replace('VERSION', second));
    expect(installed(name), name).toBe(second);
  }
}, 900_000);
