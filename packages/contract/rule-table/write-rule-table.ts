import { createHash } from 'node:crypto';
import {
  clientRules,
  type JudgedRule,
  type RuleSubject,
  serviceRules,
  unjudged,
} from '../src/specification/rules.ts';

const titles: Readonly<Record<RuleSubject, string>> = {
  answer: 'Any answer',
  fields: 'The fields of a body or of an event',
  audio: 'Generated audio: an answer, a joined stream, a joined live session',
  transcription: 'Transcriptions',
  models: 'Voice models',
  wallet: 'Wallet',
  timestamps: 'The stream with timestamps',
  live: 'Live sessions',
  exchanges: 'Several answers together',
  request: 'What a client sends, judged by `check` in a file of `record`, and by `checkRequest`',
};

/** `RULES.md`: every rule that is judged, and what is not, from the data of the spec. */
export function writeRuleTable(): string {
  const rules = [...serviceRules().values(), ...clientRules().values()];
  const hash = createHash('sha256')
    .update(JSON.stringify([rules, unjudged()]))
    .digest('hex')
    .slice(0, 16);
  return `${[
    '<!-- Generated, do not edit: change the rules of the specification and run `npm run generate`. -->',
    `<!-- From: @speech-api/spec/rules.json  sha256 ${hash} of the rules below -->`,
    '',
    '# Rules',
    '',
    `What is judged: ${rules.length} rules. An \`error\` is stated by the interface, a \`warning\` is inferred or documented elsewhere, \`drift\` is an addition that clients tolerate.`,
    'A rule marked with * needs a service that follows the request and remembers what it was sent; `--profile stateless` leaves it out.',
    'A rule marked with † is measured: chance can break it, so that it is a warning, told once in a run.',
    'Beside a rule stands the sentence that states it, or the reason why a server that breaks it is not told of an error.',
    ...(Object.keys(titles) as RuleSubject[]).flatMap((subject) => [
      '',
      `## ${titles[subject]}`,
      '',
      '| rule | severity | section | what holds | the sentence, or why it is no error |',
      '| --- | --- | --- | --- | --- |',
      ...rules
        .filter((rule) => rule.subject === subject)
        .map((rule) => {
          const { id, severity, section, text, state, measured } = rule;
          return `| \`${id}\`${state ? ' *' : ''}${measured ? ' †' : ''} | ${severity} | ${section} | ${cell(text)} | ${cell(groundOf(rule))} |`;
        }),
    ]),
    '',
    '## What nobody can judge from outside',
    '',
    '| section | what the interface says | why it is not judged |',
    '| --- | --- | --- |',
    ...unjudged().map(
      ({ section, statement, reason }) => `| ${section} | ${cell(statement)} | ${cell(reason)} |`,
    ),
  ].join('\n')}\n`;
}

/** The sentence that states a rule, or why breaking it is not an error. */
function groundOf({ quote, ours, severity, provenance, measured }: JudgedRule): string {
  if (quote !== undefined || ours !== undefined) return quote ?? ours ?? '';
  if (severity === 'drift') return 'Clients tolerate additions.';
  if (measured === true) return 'It is measured.';
  if (provenance === undefined) return 'No sentence states it: it follows from what the section says.';
  const { from, unknown } = provenance;
  return `${from === 'public' ? 'Public documentation' : 'An assumption'} alone: \`${unknown}\`.`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
