import { spawn } from 'node:child_process';
import { describeTally, failuresIn, type Tally, tallyOf } from './tally.ts';

export interface CountedRun extends Tally {
  readonly code: number;
  /** The lines that say which tests failed, without colours. */
  readonly failures: readonly string[];
}

/**
 * Where CI is set, a command that fails gets one second go. What passes then is flaky: it is named in the output, and
 * does not stop everything else. What fails twice has failed.
 */
export async function runCountedTwice(command: string, args: readonly string[]): Promise<CountedRun> {
  const first = await runCounted(command, args);
  if (first.code === 0 || process.env.CI === undefined) return first;
  process.stdout.write('\nThis failed. A second go shows whether it fails every time ...\n\n');
  const second = await runCounted(command, args);
  if (second.code === 0) {
    const names = first.failures.length > 0 ? first.failures : ['(no test was named)'];
    process.stdout.write(`\nFLAKY, passed at the second go only:\n${names.join('\n')}\n`);
  }
  return second;
}

/** Runs a command, shows what it prints as it comes, and counts the tests in it. */
export function runCounted(command: string, args: readonly string[]): Promise<CountedRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32',
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      process.stdout.write(text);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const tally = tallyOf(output);
      // A check without tests of its own (lint, types, the drift check) fails the run all the same.
      if (code !== 0 && tally.failed === 0) tally.failed = 1;
      resolve({ ...tally, code: code ?? 1, failures: failuresIn(output) });
    });
  });
}

/** The closing line of a run, alone on its line and last: other programs read it. */
export function printClosingLine(tally: Tally): void {
  process.stdout.write(`\n${describeTally(tally)}\n`);
}
