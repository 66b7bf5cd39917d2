import { parseWords } from '../command/arguments.ts';
import type { Command } from '../command/command.ts';
import { UsageError } from '../errors.ts';
import { clientRules, serviceRules } from '../specification/rules.ts';
import { explain, findRule } from './explain.ts';

const help = `speech-contract explain: what a rule asks for, and how to keep it

Usage: speech-contract explain RULE...

RULE is the name that a finding begins with, such as audio-sample-rate; RULES.md lists them all.
Prints the sentence that the rule rests on, an answer that keeps it, one that breaks it, and how to fix a server.
It needs no server and no key.

  --help   this text
`;

/** Explains rules. */
export const explainCommand: Command = {
  name: 'explain',
  summary: 'shows what a rule rests on, what keeps it, what breaks it, and how to fix a server',
  help,
  run: (words, { out }) => {
    const { positionals } = parseWords(words, {}, true);
    if (positionals.length === 0)
      throw new UsageError('No rule is named. Name one, such as: speech-contract explain audio-sample-rate');
    out(positionals.map((id) => explain(findRule(id) ?? unknown(id))).join('\n'));
    return Promise.resolve(0);
  },
};

function unknown(id: string): never {
  const words = id.split('-');
  const near = [...serviceRules().keys(), ...clientRules().keys()]
    .map((known) => ({ known, count: known.split('-').filter((word) => words.includes(word)).length }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
    .slice(0, 5)
    .map(({ known }) => known);
  const hint = near.length > 0 ? `Similar rules: ${near.join(', ')}. ` : '';
  throw new UsageError(`Unknown rule "${id}". ${hint}RULES.md lists all.`);
}
