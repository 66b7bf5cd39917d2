import type { Command } from './command/command.ts';
import { UsageError } from './errors.ts';
import { clientRules, groundOf, type JudgedRule, serviceRules } from './specification/rules.ts';
import { type RuleNotes, ruleNotes } from './tool.ts';

/** Explains rules. */
export const explainCommand: Command<object> = {
  name: 'explain',
  summary: 'Show what a rule rests on, what keeps it, what breaks it, and how to fix a server.',
  takes: ['<rules...>', 'names that findings begin with, such as audio-sample-rate; RULES.md lists them all'],
  options: [],
  notes: 'It needs no server and no key.',
  run: (_values, rules, { out }) => {
    out(rules.map(explainRule).join('\n'));
    return Promise.resolve(0);
  },
};

type ShownExample = RuleNotes[string]['example'];

/**
 * Explains a rule: its demand, its basis, an answer that keeps it, one that breaks it, the next steps.
 *
 * @throws UsageError when there is no such rule
 */
export function explainRule(id: string): string {
  const rule = serviceRules().get(id) ?? clientRules().get(id);
  if (rule === undefined) throw new UsageError(`Unknown rule "${id}". RULES.md lists all.`);
  const example = ruleNotes()[rule.id]?.example;
  const parts = [
    `${rule.id}: ${rule.severity}, section ${rule.section} of the interface`,
    rule.text,
    `What it rests on\n${indent(groundOf(rule))}`,
    ...(example === undefined
      ? []
      : [
          `What keeps it\n${example.keeps.map(indent).join('\n\n')}`,
          `What breaks it\n${example.breaks.map(indent).join('\n\n')}`,
          `The judge says\n${indent(example.says)}`,
        ]),
    `How to fix it\n${indent(fixOf(rule, example))}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The server has to be fixed where its answer differs; how depends on the server. */
function fixOf({ kept_by, id }: JudgedRule, example: ShownExample): string {
  if (kept_by === 'client')
    return `Change the code that sends the request. To check it, record its traffic (speech-contract record) and judge the file (check).`;
  const place = example?.where === undefined ? '' : ` (here at ${example.where})`;
  const due = example?.expected === undefined ? '' : ` Expected in the example: ${example.expected}.`;
  return [
    `Change what the server answers${place}.${due}`,
    'A curl command in the finding, where there is one, repeats the call. Then ask again only for that call:',
    'speech-contract verify --target URL --only NAME   (the name of the call, as the finding shows it)',
    `To accept ${id} for now, write it into a baseline with a reason (--write-baseline).`,
  ].join('\n');
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
