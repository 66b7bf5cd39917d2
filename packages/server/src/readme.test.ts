import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));

test('has a TypeScript sample in its README that runs: it answers a good key and refuses a bad one', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, sample = ''] = /```ts[^\n]*\n(.*?)```/s.exec(readme) ?? [];
  const program = sample.replace('createServer(async', 'const listening = createServer(async').concat(`
      await new Promise((resolve) => listening.once('listening', resolve));
      const url = 'http://127.0.0.1:' + listening.address().port + '/model';
      for (const key of ['my-key', 'another']) {
        const answer = await fetch(url, { headers: { authorization: 'Bearer ' + key } });
        console.log(answer.status, await answer.text());
      }
      process.exit(0);
    `);
  const options = ['--input-type=module-typescript', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: folder });
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    '200 listModels was asked for',
    '401 {"status":401,"message":"Who are you?"}',
  ]);
});
