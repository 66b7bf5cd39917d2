import { readFileSync } from 'node:fs';
import { readRule } from '@speech-api/server';

/**
 * The rules of the values of `--chaos`: `on` for none but the header, `@file` for a file with a rule a line, or a rule.
 *
 * @throws Error with a message for a person, which names the rule, and the file and line it is in
 */
export function readChaosOption(values: readonly string[]): string[] {
  return values.flatMap((value) => {
    if (value === 'on') return [];
    if (!value.startsWith('@')) return [checked(value, '--chaos')];
    const file = value.slice(1);
    return readLines(file).flatMap((line, index) => {
      const rule = line.replace(/#.*$/, '').trim();
      return rule === '' ? [] : [checked(rule, `${file}, line ${index + 1}`)];
    });
  });
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/);
  } catch (cause) {
    throw new Error(`--chaos: the file ${file} cannot be read.`, { cause });
  }
}

function checked(rule: string, where: string): string {
  try {
    readRule(rule);
  } catch (error) {
    throw new Error(`${where}: ${(error as Error).message}`);
  }
  return rule;
}
