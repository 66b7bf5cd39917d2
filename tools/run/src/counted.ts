import { spawn } from 'node:child_process';
import { describeTally, type Tally, tallyOf } from './tally.ts';

/** Runs a command, shows what it prints as it comes, and counts the tests in it. */
export function runCounted(command: string, args: readonly string[]): Promise<Tally & { code: number }> {
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
      resolve({ ...tally, code: code ?? 1 });
    });
  });
}

/** The closing line of a run, alone on its line and last: other programs read it. */
export function printClosingLine(tally: Tally): void {
  process.stdout.write(`\n${describeTally(tally)}\n`);
}
