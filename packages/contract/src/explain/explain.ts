import { register } from '../specification/document.ts';
import { clientRules, type JudgedRule, serviceRules, severityOf } from '../specification/rules.ts';
import { type RuleNotes, ruleNotes } from '../tool.ts';

type ShownExample = RuleNotes[string]['example'];

/** The rule with this id, of a service or of a client. */
export function findRule(id: string): JudgedRule | undefined {
  return serviceRules().get(id) ?? clientRules().get(id);
}

/** Explains a rule: its demand, its basis, an answer that keeps it, one that breaks it, the next steps. */
export function explain(rule: JudgedRule): string {
  const example = ruleNotes()[rule.id]?.example;
  const parts = [
    `${rule.id}: ${severityOf(rule)}, section ${rule.section} of the interface`,
    rule.text,
    `What it rests on\n${indent(groundOf(rule))}`,
    ...(example === undefined
      ? []
      : [
          `${titleOf('keeps', example.keeps)}\n${example.keeps.map(indent).join('\n\n')}`,
          `${titleOf('breaks', example.breaks)}\n${example.breaks.map(indent).join('\n\n')}`,
          `The judge says\n${indent(example.says)}`,
        ]),
    `How to fix it\n${indent(fixOf(rule, example))}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function titleOf(what: string, { length }: readonly string[]): string {
  return `${length > 1 ? 'Answers that' : 'An answer that'} ${length > 1 ? what.replace(/s$/, '') : what} it`;
}

/** The sentence of the interface, or where else the rule is from. */
function groundOf({ quote, ours, provenance }: JudgedRule): string {
  if (quote !== undefined) return `The interface: "${quote}"`;
  if (ours !== undefined) return `Our own decision: ${ours}`;
  const entry = register().find(({ id }) => id === provenance?.unknown);
  if (provenance === undefined || entry === undefined)
    return 'No sentence of the interface alone: it follows from what the section says, so it is a warning.';
  const source = provenance.from === 'public' ? 'public documentation' : 'an assumption of the specification';
  return `${source}, ${entry.id} in spec/unknowns.yaml: ${entry.choice}`;
}

/** A server is fixed where its answer differs from what is expected; how depends on the server. */
function fixOf({ kept_by, id }: JudgedRule, example: ShownExample): string {
  if (kept_by === 'client')
    return `Change the code that sends the request, then run it through speech-contract proxy again.`;
  const place = example?.where === undefined ? '' : ` (here at ${example.where})`;
  const due = example?.expected === undefined ? '' : ` Expected in the example: ${example.expected}.`;
  return [
    `Change what the server answers${place}.${due}`,
    'A curl command in the finding, where there is one, repeats the call. Then ask again only for what broke:',
    `speech-contract verify --target URL --failed REPORT.json   (of a run with --report json=REPORT.json)`,
    `To accept ${id} for now, write it into a baseline with a reason and a last day (--write-baseline).`,
  ].join('\n');
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
