import { execFile, spawn } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSpeechClient, type SpeechClient } from '@speech-api/client';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

export const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const recipes: string = pathOf('../recipes/');

export const key = 'sandbox-key';
/** What is said in the recordings that samples and recipes read. */
export const said = 'What is said in the sample.';

/** One sandbox for the tests of a file, started before they begin. */
export function useSandbox(): { url: string; client: SpeechClient } {
  const sandbox = { url: '' } as { url: string; client: SpeechClient };
  let close: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    // The import is here so that tests that start nothing run without a built sandbox.
    const { startSandbox } = await import('@speech-api/sandbox');
    const running = await startSandbox({ port: 0, logger: () => {} });
    sandbox.url = running.url;
    sandbox.client = createSpeechClient({ baseUrl: running.url, apiKey: key });
    close = () => running.close();
  });
  afterAll(() => close?.());
  return sandbox;
}

/** A folder for one test; by default outside of the repository. */
export function useFolder(parent: string = tmpdir()): string {
  mkdirSync(parent, { recursive: true });
  const path = mkdtempSync(join(parent, 'speech-recipe-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function environmentFor(url: string): NodeJS.ProcessEnv {
  return { ...process.env, SPEECH_BASE_URL: url, SPEECH_API_KEY: key };
}

/** Runs a program to its end; it may print nothing to stderr. Resolves with what it printed. */
export async function run(
  url: string,
  cwd: string,
  program: string,
  ...args: readonly string[]
): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args, {
    cwd,
    env: environmentFor(url),
    timeout: 110_000,
  });
  if (stderr !== '') throw new Error(`${args.at(-1)} prints to stderr: ${stderr}`);
  return stdout;
}

/**
 * Starts a recipe that serves; resolves with its address. It ends with the test.
 *
 * @param log collects what the recipe writes to stderr
 */
export function serveRecipe(name: string, url: string, log: string[] = []): Promise<string> {
  const child = spawn(process.execPath, [`${recipes}${name}.ts`], {
    // Express prints no stack traces in test mode.
    env: { ...environmentFor(url), PORT: '0', NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  child.stderr.on('data', (text: Buffer) => log.push(String(text)));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
    child.stdout.on('data', (line: Buffer) => resolve(String(line).trim()));
  });
}

export async function listen(server: Server): Promise<number> {
  onTestFinished(() => server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Runs the strict compiler on the TypeScript of a folder and returns its errors. */
export async function compile(folder: string, ...options: readonly string[]): Promise<string> {
  const compiler = pathOf('../node_modules/typescript/bin/tsc');
  return promisify(execFile)(process.execPath, [compiler, '-p', folder, ...options]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

export interface Sample {
  /** Operation and file, such as `createSpeech/curl.sh`. */
  readonly name: string;
  readonly path: string;
}

function find(folder: string, pattern: string): Sample[] {
  const names = globSync(pattern, { cwd: pathOf(folder) }).sort();
  return names.map((name) => ({ name, path: pathOf(folder) + name }));
}

/** Samples of the specification, such as all `curl.sh`. */
export const findSamples = (file: string): Sample[] => find('../../../spec/samples/', `*/${file}`);
export const findGuideExamples = (): Sample[] => find('../../../apps/docs/src/examples/', '*/*.sh');

/** Copies samples into this workspace, because they import its dependencies by their names, for one test. */
export function placeSamples(samples: readonly Sample[]): string {
  const folder = `${useFolder(pathOf('../.temporary/'))}/`;
  for (const { name, path } of samples) {
    mkdirSync(dirname(folder + name), { recursive: true });
    copyFileSync(path, folder + name);
  }
  return folder;
}
