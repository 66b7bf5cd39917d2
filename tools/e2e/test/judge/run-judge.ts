import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const bin = join(
  dirname(createRequire(import.meta.url).resolve('@speech-api/contract/package.json')),
  'dist/bin.js',
);

/** Output of a finished command. */
interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/** Runs a command of `speech-contract` on a server as a user does. */
export function runJudge(
  command: string,
  target: string,
  words: readonly string[],
  key: string,
): Promise<Ended> {
  const child = spawn(process.execPath, [bin, command, '--target', target, ...words], {
    env: { ...process.env, SPEECH_API_KEY: key, GITHUB_ACTIONS: '' },
  });
  let out = '';
  let error = '';
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  child.stderr.on('data', (piece) => {
    error += piece;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, error }));
  });
}
