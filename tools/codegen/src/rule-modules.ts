import { isObject, type Json } from './document.ts';
import { printComment } from './typescript-module.ts';

interface RuleModule {
  readonly name: string;
  readonly type: string;
  readonly comment: string;
  readonly value: Json | undefined;
}

/** A module with one list of rules, refusals or tolerances. */
export function generateRuleModule({ name, type, comment, value }: RuleModule): string {
  if (!Array.isArray(value) || value.length === 0) throw new Error(`The specification has no ${name}.`);
  return (
    `import type { ${type} } from '../rule-data.ts';\n\n${printComment(comment)}` +
    `export const ${name}: readonly ${type}[] = ${JSON.stringify(value)};\n`
  );
}

/** Examples serve the tests of the specification; they are no part of what is published. */
export function withoutExamples(value: Json | undefined): Json {
  const entries = Array.isArray(value) ? value : [];
  return entries.map((entry: Json) => {
    if (!isObject(entry)) return entry;
    const { examples: _, ...rest } = entry;
    return rest;
  });
}
