import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from './usage.ts';

export interface Question {
  readonly text: string;
  /** Shows nothing of what is typed. */
  readonly isSecret?: boolean;
  /** Error message if there is no terminal to ask on. */
  readonly otherwise: string;
  readonly signal: AbortSignal;
}

/** Asks on the terminal; Ctrl-D is an empty answer. Never without a terminal, and never where `CI` is set. */
export async function ask({ text, isSecret = false, otherwise, signal }: Question): Promise<string> {
  if (!process.stdin.isTTY || !process.stderr.isTTY || process.env.CI) throw new UsageError(otherwise);
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: isSecret ? nowhere : process.stderr,
    terminal: true,
  });
  let isAnswered = false;
  try {
    return await new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      // The terminal is in raw mode here, so that Ctrl-C comes as a key.
      lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
      lines.on('close', () => resolve(''));
      if (isSecret) process.stderr.write(text);
      lines.question(isSecret ? '' : text, (answer) => {
        isAnswered = true;
        resolve(answer);
      });
    });
  } finally {
    lines.close();
    if (isSecret || !isAnswered) process.stderr.write('\n');
  }
}
