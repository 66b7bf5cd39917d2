import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Json } from '@speech-api/spec/read';

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** Formats TypeScript as the rest of the repository is formatted. */
export async function formatTypeScript(code: string): Promise<string> {
  const options = ['format', '--stdin-file-path=module.ts', `--config-path=${repository}`];
  const settings = { cwd: repository, maxBuffer: 64_000_000 };
  const formatting = promisify(execFile)(process.execPath, [biome, ...options], settings);
  formatting.child.stdin?.end(code);
  return (await formatting).stdout;
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
