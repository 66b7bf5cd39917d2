import { expect, test } from 'vitest';
import { bundled, bundleSize, installedFiles, isOurs, sumOf } from './sizes.ts';

// Budgets, not targets: each is a little above today's figure, so that nothing grows unseen.
// If you need more, raise the number here and give the reason; if you save something, lower it.

test('a browser application loads 19 200 bytes of it first, and 28 000 in all, minified and compressed', async () => {
  const { first, everything } = await bundleSize(bundled.client);
  // openapi-fetch takes 2 500 of them; the README says where the others are.
  expect(first).toBeLessThanOrEqual(19_200);
  // eventsource-parser takes 1 800 of them, captions in any script 1 500. This is the target.
  expect(everything).toBeLessThan(28_000);
});

test('an installation is 440 kilobytes of ours, in few files, and two packages of others', async () => {
  const files = [...(await installedFiles('@speech-api/client'))];
  const ours = files.filter(isOurs);
  // Half of it is types with documentation for editors; 90 000 are the file that an import loads.
  expect(sumOf(ours)).toBeLessThan(440_000);
  // Each entry has one declaration file, and the JavaScript is bundled.
  expect(ours.length).toBeLessThan(80);
  const others = new Set(files.filter((file) => !isOurs(file)).map(([path]) => path.split(' ')[0]));
  expect([...others].sort()).toEqual(['openapi-fetch', 'openapi-typescript-helpers']);
  expect(sumOf(files)).toBeLessThan(800_000);
});
