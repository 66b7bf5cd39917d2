import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// The package as it is published. Its build comes before its tests.

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

test.each(['', '/api-error', '/captions', '/opentelemetry', '/node'])(
  'CommonJS gets @speech-api/client%s by require',
  async (entry) => {
    const code = `console.log(Object.keys(require('@speech-api/client${entry}')).length)`;
    const { stdout } = await run(process.execPath, ['--input-type=commonjs', '--eval', code], { cwd: root });
    expect(Number(stdout)).toBeGreaterThan(0);
  },
);
