import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

export const folder: string = fileURLToPath(new URL('../recipes/', import.meta.url));

/** The key that the sandbox accepts. */
export const key = 'sandbox-key';

/** A folder for one test, in which a recipe reads and writes. */
export function useFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'speech-recipe-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function environmentFor(url: string): NodeJS.ProcessEnv {
  return { ...process.env, SPEECH_BASE_URL: url, SPEECH_API_KEY: key, NODE_TEST_CONTEXT: undefined };
}

/** Runs a recipe to its end; it may print nothing to stderr. Resolves with what it printed. */
export async function runRecipe(
  name: string,
  url: string,
  cwd: string,
  options: readonly string[] = [],
): Promise<string> {
  const args = [...options, `${folder}${name}.ts`];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    cwd,
    env: environmentFor(url),
    timeout: 110_000,
  });
  if (stderr !== '') throw new Error(`${name} prints to stderr: ${stderr}`);
  return stdout;
}

/** Starts a recipe that serves; resolves with its address. It ends with the test. */
export function serveRecipe(name: string, url: string): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, [`${folder}${name}.ts`], {
    env: { ...environmentFor(url), PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill();
  });
  child.stderr?.resume();
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
    child.stdout?.on('data', (line: Buffer) => resolve(String(line).trim()));
  });
}
