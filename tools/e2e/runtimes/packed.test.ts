import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { type AllPacked, type Packed, packAll } from '@speech-api/run/packed';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../test/testing/code-blocks.ts';

let packed: AllPacked;
beforeAll(async () => {
  packed = await packAll();
});
afterAll(() => packed?.remove());

/** Runs a check on every package and names those with complaints. */
async function complaints(check: (packed: Packed) => unknown): Promise<[string, unknown][]> {
  const { packages } = packed;
  expect(packages.length).toBeGreaterThan(12);
  const pairs: [string, unknown][] = [];
  for (const item of packages) {
    const answer = await check(item);
    if (Array.isArray(answer) ? answer.length > 0 : answer) pairs.push([item.manifest.name, answer]);
  }
  return pairs;
}

const fields = ['description', 'homepage', 'bugs', 'keywords', 'sideEffects'];
// Each of them reads ES modules by require().
const nodeVersions = ['^20.19.0 || >=22.12.0', '>=22.12.0', '>=24.18.0'];

test('every package says what it is, and leaves out what only its developers need', async () => {
  const lacking = await complaints(({ source, unpacked, manifest }) => {
    const { engines, repository, scripts, devDependencies } = manifest;
    const isHere = repository?.directory === relative(root, source).replaceAll('\\', '/');
    return [
      ...['LICENSE', 'README.md', 'CHANGELOG.md'].filter((name) => !existsSync(join(unpacked, name))),
      ...fields.filter((field) => !(field in manifest)),
      ...(isHere ? [] : ['repository']),
      ...(nodeVersions.includes(engines.node) ? [] : [engines.node]),
      ...Object.keys({ ...scripts, ...devDependencies }),
    ];
  });
  expect(lacking).toEqual([]);
});

// What gets no more updates is installed in the version that was tested.
const ended = ['openapi-fetch', 'openapi-typescript-helpers'];

test('every package depends on ranges, so that an application can have one copy of a dependency', async () => {
  const pinned = await complaints(({ manifest }) =>
    Object.entries(manifest.dependencies ?? {}).filter(
      ([name, version]) => /^[~^]\d+\.\d+\.\d+$/.test(version) === ended.includes(name),
    ),
  );
  expect(pinned).toEqual([]);
});

test('publint finds nothing wrong with any package', async () => {
  const problems = await complaints(async ({ unpacked }) => {
    const { messages, pkg } = await publint({ pkgDir: unpacked, strict: true, pack: false });
    return messages.map((message) => formatMessage(message, pkg));
  });
  expect(problems).toEqual([]);
});

test('the types of every entry resolve for every consumer of ES modules', async () => {
  const problems = await complaints(async ({ archive, manifest }) => {
    // Entries that are not code, such as the specification's documents, have no types.
    const entrypoints = Object.entries(manifest.exports ?? {})
      .filter(([, entry]) => typeof entry !== 'string')
      .map(([path]) => path);
    if (entrypoints.length === 0) return [];
    const tarball = createPackageFromTarballData(readFileSync(archive));
    const analysis = await checkPackage(tarball, { entrypoints });
    if (analysis.types === false) return ['no types'];
    return analysis.problems.filter(
      (problem) =>
        !('resolutionKind' in problem) || !['node10', 'node16-cjs'].includes(problem.resolutionKind),
    );
  });
  expect(problems).toEqual([]);
});
