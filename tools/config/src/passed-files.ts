// The source files of ours that one call passes: `npm run passed-files`.
// A program speaks one sentence through client and sandbox, run from the sources under V8's coverage; a file counts
// when one of its functions ran on the main thread between the call and its last byte. What happens once a second or at
// each start (warm-ups in other threads, the engine's own process) does not count.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeCoverage } from 'node:v8';

const root = new URL('../../../', import.meta.url);
const ways = ['create', 'streamWithTimestamps'] as const;
const byTime = (first: string, second: string): number =>
  Number(first.split('-')[2]) - Number(second.split('-')[2]);
type Way = (typeof ways)[number];

/** The part of V8's coverage that is read here. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

const [, , way] = process.argv;
if (way === undefined) for (const each of ways) report(each);
else await speak(way as Way);

function report(way: Way): void {
  const directory = mkdtempSync(join(tmpdir(), 'coverage-'));
  const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), way], {
    env: { ...process.env, NODE_V8_COVERAGE: directory },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (run.status !== 0) throw new Error(`the call itself failed with ${run.status}`);
  const passed = new Set<string>();
  const own = Number(run.pid);
  // Of the three reports of the main thread the first ends where the call begins, the second where it ends.
  const reports = globSync(`coverage-${own}-*-0.json`, { cwd: directory }).sort(byTime);
  for (const name of reports.slice(1, 2)) {
    const { result } = JSON.parse(readFileSync(join(directory, name), 'utf8')) as Coverage;
    for (const { url, functions } of result) {
      const path = url.startsWith(root.href) ? url.slice(root.href.length) : undefined;
      if (path === undefined || path.includes('node_modules') || path.startsWith('tools/')) continue;
      const ran = functions.some(
        ({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0,
      );
      if (ran) passed.add(path);
    }
  }
  rmSync(directory, { recursive: true });
  process.stdout.write(
    `speech.${way}: ${passed.size} files\n${[...passed]
      .sort()
      .map((path) => `  ${path}\n`)
      .join('')}`,
  );
}

async function speak(way: Way): Promise<void> {
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith('@speech-api/')) return next(specifier, context);
      const found = next(specifier, { ...context, parentURL: new URL('tools/e2e/package.json', root).href });
      const source = found.url.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
      return { ...found, url: existsSync(new URL(source)) ? source : found.url, format: undefined };
    },
  });
  const { createSpeechClient } = await import(String('@speech-api/client'));
  const { startSandbox } = await import(String('@speech-api/sandbox'));
  const sandbox = await startSandbox({ port: 0, logger: () => {} });
  const client = createSpeechClient({ apiKey: 'sandbox-key', baseUrl: sandbox.url });
  takeCoverage();
  const answer = await client.speech[way]({ text: 'Fresh bread and two cups of tea.', format: 'opus' });
  if (way === 'create') await answer.bytes();
  else await answer.collect();
  takeCoverage();
  await sandbox.close();
}
