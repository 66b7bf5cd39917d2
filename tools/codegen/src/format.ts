import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Formats TypeScript as the rest of the repository is formatted. */
export function formatTypeScript(code: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const formatter = spawn(
      process.execPath,
      [biome, 'format', '--stdin-file-path=module.ts', `--config-path=${repository}`],
      { cwd: repository, stdio: ['pipe', 'pipe', 'pipe'] },
    );
    let formatted = '';
    let complaints = '';
    formatter.stdout.setEncoding('utf8').on('data', (text: string) => {
      formatted += text;
    });
    formatter.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints += text;
    });
    formatter.on('error', reject);
    formatter.on('close', (status) => {
      if (status === 0) resolve(formatted);
      else reject(new Error(`The generated code could not be formatted:\n${complaints}`));
    });
    formatter.stdin.end(code);
  });
}
