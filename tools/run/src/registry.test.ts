import { expect, test } from 'vitest';
import { serveArchives } from './registry.ts';

test('refuses what is not an upload, such as npm dist-tag add, and keeps answering', async () => {
  const registry = await serveArchives([]);
  const answers = ['"1.0.0"', '{}', '{', ''].map((body) =>
    fetch(`${registry.url}/-/package/@speech-api%2fclient/dist-tags/next`, { method: 'PUT', body }),
  );
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  await registry.close();
});
