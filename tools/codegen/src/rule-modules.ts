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

/** What a client needs to refuse a request before sending it: its own rules, without what only servers and readers use. */
export function rulesOfClient(value: Json | undefined): Json {
  const entries = Array.isArray(value) ? value : [];
  return entries
    .filter(isObject)
    .flatMap(({ id, field, applies_to, when, require, message, enforced_by }) => {
      if (!Array.isArray(enforced_by) || !enforced_by.includes('client')) return [];
      return [{ id, field, ...(applies_to !== undefined && { applies_to }), when, require, message } as Json];
    });
}
