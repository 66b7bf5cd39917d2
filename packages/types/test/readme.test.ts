import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

test('shows the example that is compiled and run here', async () => {
  const [readme, example] = await Promise.all([read('../README.md'), read('readme-example.ts')]);
  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, block]) => block);
  expect(blocks).toEqual([example]);
});

test('runs the example', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import('./readme-example.ts');
  expect(log).toHaveBeenCalledWith('48000 Hz, out of 48000');
  log.mockRestore();
});

test('names only constants that exist', async () => {
  const rows = (await read('../README.md')).split('\n').filter((line) => line.startsWith('| '));
  const names = rows.flatMap((row) =>
    [...(row.split('|')[2] ?? '').matchAll(/`([a-z]\w+)`/g)].map(([, name]) => name),
  );
  const typesAndHeaders = ['paths', 'operations', 'components', 'traceparent'];
  expect(names).toContain('sampleRates');
  expect(Object.keys(await import('../src/index.ts'))).toEqual(
    expect.arrayContaining(names.filter((name) => !typesAndHeaders.includes(name ?? ''))),
  );
});
