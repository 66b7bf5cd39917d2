import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { sandboxKey } from './use-sandbox.ts';

export const speechPath = join(
  dirname(fileURLToPath(import.meta.resolve('@speech-api/cli/package.json'))),
  'dist/speech.js',
);

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Buffer;
}

/** A command that runs, with a stdin that stays open. */
export interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly stderr: string;
  readonly ended: Promise<Ran>;
}

export interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** A script for `sh` that runs the command, which is `"$@"` in it. */
  readonly script?: string;
}

export interface RunOptions extends StartOptions {
  readonly input?: string | Uint8Array;
  readonly started?: (child: Running['child']) => void;
}

export const text = 'The ferry leaves at noon, and the gulls leave with it.';

export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

/** The words of a line without variables, quoted or not. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'speech-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An environment in which nothing of the machine's own settings is seen. */
export function cleanEnvironment(
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, HOME: folder, SPEECH_CONFIG: join(folder, 'config', 'config.json'), ...more };
}

/** Starts `speech` in a process of its own, without a terminal. */
export function startSpeech(args: readonly string[], options: StartOptions & { folder: string }): Running {
  const { folder, environment, script } = options;
  const command = [process.execPath, speechPath, ...args];
  const [program = '', ...given] = script === undefined ? command : ['sh', '-c', script, 'sh', ...command];
  const child = spawn(program, given, {
    cwd: folder,
    env: cleanEnvironment(folder, environment),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => output.push(piece));
  child.stderr.on('data', (piece: Buffer) => {
    stderr += piece.toString();
  });
  // A command that ends early closes its stdin.
  child.stdin.on('error', () => {});
  const ended = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const bytes = Buffer.concat(output);
      resolve({ code, stdout: bytes.toString(), stderr, bytes });
    });
  });
  return {
    child,
    ended,
    get stderr() {
      return stderr;
    },
  };
}

export function runSpeech(args: readonly string[], options: RunOptions & { folder: string }): Promise<Ran> {
  const { child, ended } = startSpeech(args, options);
  child.stdin.end(options.input ?? '');
  options.started?.(child);
  return ended;
}

/** A folder of the test's own, and `speech` in it against a service that is there while the tests run. */
export function useSpeech(service: { readonly url: string }): {
  readonly folder: string;
  /** Environment for the command to find the service, with additions or replacements. */
  environment(more?: Readonly<Record<string, string>>): Record<string, string>;
  filesLike(pattern: RegExp): Promise<string[]>;
  speech(args: readonly string[], options?: RunOptions): Promise<Ran>;
  start(args: readonly string[], more?: Readonly<Record<string, string>>): Running;
} {
  const folder = scratchFolder();
  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    SPEECH_BASE_URL: service.url,
    SPEECH_API_KEY: sandboxKey,
    ...more,
  });
  const speech = (args: readonly string[], options: RunOptions = {}) =>
    runSpeech(args, { folder, ...options, environment: environment(options.environment) });
  const filesLike = async (pattern: RegExp): Promise<string[]> =>
    (await readdir(folder)).filter((name) => pattern.test(name)).sort();
  const start = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    startSpeech(args, { folder, environment: environment(more) });
  return { folder, environment, filesLike, speech, start };
}
