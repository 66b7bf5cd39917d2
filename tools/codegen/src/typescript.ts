import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Json } from '@speech-api/spec/read';

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

/** One exported constant of a generated module. */
export interface Constant {
  readonly name: string;
  /** Meaning of the constant, with its unit and section. */
  readonly comment: string;
  readonly value: Json;
}

/** `as const` constants, one after the other. */
export function printConstants(constants: readonly Constant[]): string {
  return constants
    .map(
      ({ name, comment, value }) =>
        `${printComment(comment)}export const ${name} = ${JSON.stringify(value)} as const;\n`,
    )
    .join('\n');
}

/** A comment in TSDoc form; every line of the text is a line of the comment. */
export function printComment(text: string): string {
  const lines = text.trim().replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
