import type { Json } from './document.ts';

/** One exported constant of a generated module. */
export interface Constant {
  readonly name: string;
  /** What it means, with its unit and section. */
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
