import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { sandboxKey } from './use-sandbox.ts';

/** The built command. */
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

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  readonly folder?: string;
  /** Called with the process once it runs. */
  readonly started?: (child: ChildProcess) => void;
}

export const text = 'The ferry leaves at noon, and the gulls leave with it.';

/** A picture of one pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

/** The words of a line without variables, quoted or not. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** A folder of the test's own. */
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

/** Runs `speech` in a process of its own, without a terminal. */
export function runSpeech(args: readonly string[], options: RunOptions & { folder: string }): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [speechPath, ...args], {
      cwd: options.folder,
      env: cleanEnvironment(options.folder, options.environment),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const output: Buffer[] = [];
    let stderr = '';
    child.stdout.on('data', (piece: Buffer) => output.push(piece));
    child.stderr.on('data', (piece: Buffer) => {
      stderr += piece.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const bytes = Buffer.concat(output);
      resolve({ code, stdout: bytes.toString(), stderr, bytes });
    });
    // A command that ends early closes its stdin.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    options.started?.(child);
  });
}

/** A folder of the test's own, and `speech` in it against a service that is there while the tests run. */
export function useSpeech(service: { readonly url: string }): {
  readonly folder: string;
  /** Environment for the command to find the service, with additions or replacements. */
  environment(more?: Readonly<Record<string, string>>): Record<string, string>;
  /** Names of the files and folders in it. */
  filesLike(pattern: RegExp): Promise<string[]>;
  speech(args: readonly string[], options?: RunOptions): Promise<Ran>;
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
  return { folder, environment, filesLike, speech };
}
