import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Finding, VerifyOptions } from '@speech-api/contract';

const bin = join(
  dirname(createRequire(import.meta.url).resolve('@speech-api/contract/package.json')),
  'dist/bin.js',
);

export async function runJudge(command: string, target: string, words: readonly string[], key: string) {
  const child = spawn(process.execPath, [bin, command, '--target', target, ...words], {
    env: { ...process.env, SPEECH_API_KEY: key, GITHUB_ACTIONS: '' },
  });
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: code as number | null, out, error };
}

/** Limits for a busy machine: speed is not judged here. */
export const patient: Pick<VerifyOptions, 'transport'> = {
  transport: { idleMs: 120_000, totalMs: 240_000 },
};

/** A finding on one line, for the output of a failing test. */
export function inWords({ severity, rule, exchange, where = '', message }: Finding): string {
  return `${severity} ${rule}: ${exchange} ${where} ${message}`;
}
