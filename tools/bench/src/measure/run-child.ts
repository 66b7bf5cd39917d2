import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a file of `src/child` in a process of its own and gives the JSON of its last line. */
export async function runChild(name: string, ...args: readonly string[]): Promise<Record<string, number>> {
  const file = fileURLToPath(new URL(`../child/${name}.ts`, import.meta.url));
  const output = await runNode(['--expose-gc', file, ...args]);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Record<string, number>;
}

/** Runs Node with these arguments and gives its stdout. */
export function runNode(args: readonly string[], cwd?: string): Promise<string> {
  return runProgram(process.execPath, args, cwd);
}

export function runProgram(program: string, args: readonly string[], cwd?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ${args.join(' ')} ended with ${code}`));
    });
  });
}
