import { printClosingLine, runCountedTwice } from '../counted.ts';

/** What `npm test` is made of: all of it runs on Node alone, and what did not change comes from the cache. */
export async function run(args: readonly string[]): Promise<number> {
  const tasks = ['check', 'lint', 'typecheck', 'test'];
  const tally = await runCountedTwice('turbo', [
    'run',
    ...tasks,
    '--continue',
    '--concurrency=100%',
    '--output-logs=full',
    ...args,
  ]);
  printClosingLine(tally);
  return tally.code;
}
