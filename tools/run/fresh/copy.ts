import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const execute = promisify(execFile);

const runVitest = ['vitest', 'run', '--maxWorkers=1'] as const;

/** The guide whose worked examples are performed. */
export const guide = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8');

/**
 * A copy of the repository for the tests of one file. It gets an install of its own from `npm run generate`: a link to
 * the node_modules of this repository would be rewritten.
 */
export function useCopy(name: string) {
  let copy = '';
  const inCopy = (path: string) => join(copy, path);

  beforeAll(async () => {
    copy = mkdtempSync(join(tmpdir(), `${name}-`));
    const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const { stdout } = await execute('git', listing, { cwd: repository, maxBuffer: 64_000_000 });
    const files = stdout.split('\0').filter((file) => file !== '' && existsSync(join(repository, file)));
    for (const file of files) cpSync(join(repository, file), inCopy(file), { recursive: true });
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  /** Runs a program in the copy; resolves with its output, and its exit code where it fails. */
  async function run(folder: string, program: string, ...args: readonly string[]) {
    const bin = [inCopy(`${folder}/node_modules/.bin`), inCopy('node_modules/.bin')];
    const environment = {
      // Unchanged packages are built already.
      TURBO_CACHE_DIR: join(repository, '.turbo/cache'),
      ...process.env,
      PATH: [...bin, process.env.PATH].join(delimiter),
    };
    const settings = { cwd: inCopy(folder), env: environment, maxBuffer: 64_000_000 };
    return execute(program, [...args], settings).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        output: `${error.stdout}${error.stderr}`,
      }),
    );
  }
  async function succeed(folder: string, program: string, ...args: readonly string[]): Promise<string> {
    const { code, output } = await run(folder, program, ...args);
    expect(code, output).toBe(0);
    return output;
  }
  return {
    inCopy,
    read: (path: string) => readFileSync(inCopy(path), 'utf8'),
    run,
    succeed,
    vitest: (folder: string, ...args: string[]) => run(folder, ...runVitest, ...args),
    passes: (folder: string, ...args: string[]) => succeed(folder, ...runVitest, ...args),
    generate: () => succeed('.', 'npm', 'run', 'generate'),
    build: (...packages: string[]) =>
      succeed('.', 'turbo', 'run', 'build', ...packages.map((one) => `--filter=@speech-api/${one}`)),
  };
}
