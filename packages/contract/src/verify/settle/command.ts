import type { ParseArgsOptionsConfig } from 'node:util';
import { parseWords, readKey, similarNames } from '../../command/arguments.ts';
import type { Command, ExitCode, Surroundings } from '../../command/command.ts';
import { listenForInterrupt } from '../../command/interrupt.ts';
import { UsageError } from '../../errors.ts';
import { visible, wrap } from '../../report/text.ts';
import { register } from '../../specification/document.ts';
import { costInWords } from '../describe.ts';
import { readSending, sendingOptions } from '../options.ts';
import { readTarget } from '../preflight.ts';
import { type Guess, planSettling, settle, settleBudget } from './settle.ts';

const settleOptions = {
  ...sendingOptions,
  'allow-changes': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const satisfies ParseArgsOptionsConfig;

const help = `speech-contract settle: compare the guesses of the specification with a real server

Usage: SPEECH_API_KEY=... speech-contract settle --target URL [options]

The interface leaves things open, and the specification fills them with guesses (unknowns.yaml). This command
makes the calls that show which guesses hold on a server, and says which files to edit for those that do not.

  --target URL            base address of the HTTP API, without /v1
  --live URL              base address of the live socket (default: that of --target, with ws or wss)
  --only ID               only this entry of unknowns.yaml; may be repeated
  --allow-changes         also creates, changes and deletes voice models of its own
  --max-calls N           maximum number of calls (default ${settleBudget.calls})
  --max-characters N      maximum number of characters to speak (default ${settleBudget.characters})
  --max-audio-seconds N   maximum number of seconds to transcribe (default ${settleBudget.audioSeconds})
  --dry-run               prints what would be sent and what it costs, and sends nothing
  --timeout SECONDS       how long to wait for the next byte of an answer (default 20)
  --json                  writes the report as JSON to standard output

Exits with 0 if every guess that was played holds, 1 if one does not, 2 if nothing could be learned: wrong
arguments, no server, no valid key, or no guess that the answers show.
`;

async function run(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { values } = parseWords(words, settleOptions);
  const { out, error, width } = surroundings;
  const { only, 'allow-changes': allowChanges } = values;
  const options = { ...readSending(values, settleBudget), only, allowChanges };
  checkIds(only);
  const { candidates, cost } = planSettling(options);
  const played = candidates.filter(({ reason }) => reason === undefined);
  const announcement = `${played.length} of ${candidates.length} guesses, with ${costInWords(cost)} at most, as a server bills them.\n`;
  if (values['dry-run']) {
    const lines = candidates.map(
      ({ entry, scenarios, reason }) =>
        `  ${entry.id}: ${reason === undefined ? scenarios.map(({ name }) => name).join(', ') : `not played, ${reason}`}\n`,
    );
    out(`Nothing is sent. A run would send:\n\n${lines.join('')}\n${announcement}`);
    return 0;
  }
  const { key } = readTarget({ ...options, key: readKey(surroundings) });
  error(`Playing ${announcement}`);
  const { signal, release } = listenForInterrupt(() =>
    error('Interrupted. Deleting what was created; interrupt again to exit at once.\n'),
  );
  try {
    const report = await settle({ ...options, key, signal });
    const { guesses, spent, leftBehind } = report;
    const lines = [
      ...verdicts.flatMap((verdict) => inLines(verdict, guesses, width)),
      `Sent ${costInWords(spent)}.`,
      ...leftBehind.map((each) => `Left on the server, please delete by hand: ${visible(each)}`),
    ];
    out(values.json ? `${JSON.stringify(report, undefined, 2)}\n` : `${lines.join('\n')}\n`);
    if (signal.aborted) return 2;
    if (guesses.some(({ verdict }) => verdict === 'does not hold')) return 1;
    return guesses.some(({ verdict }) => verdict === 'holds') ? 0 : 2;
  } finally {
    release();
  }
}

/** @throws UsageError if the register has no such entry */
function checkIds(only: readonly string[]): void {
  const ids = register().map(({ id }) => id);
  for (const wanted of only.filter((id) => !ids.includes(id))) {
    const near = similarNames(wanted, ids);
    const hint = near.length > 0 ? `Similar entries: ${near.join(', ')}. ` : '';
    throw new UsageError(`--only ${wanted}: unknowns.yaml has no such entry. ${hint}--dry-run lists all.`);
  }
}

const verdicts = ['does not hold', 'holds', 'not shown', 'not played'] as const;

/** The guesses with one verdict; those that do not hold with what was found and what to change. */
function inLines(verdict: Guess['verdict'], all: readonly Guess[], width: number): readonly string[] {
  const guesses = all.filter((guess) => guess.verdict === verdict);
  const indented = (text: string, indent: number) =>
    wrap(visible(text), width - indent).map((line) => ' '.repeat(indent) + line);
  return [
    `Guesses: ${verdict} (${guesses.length})`,
    ...guesses.flatMap(({ id, choice, reason, found, change }) => {
      if (verdict === 'holds') return [`  ${id}`];
      if (verdict !== 'does not hold') return indented(`${id}: ${reason}`, 2);
      return [
        ...indented(`${id}: ${choice}`, 2),
        ...found.flatMap(({ rule, exchange, message, curl }) => [
          ...indented(`found (${rule}) ${exchange}: ${message}`, 6),
          ...(curl === undefined ? [] : [`      ${visible(curl)}`]),
        ]),
        ...change.map(({ file, key }) => `      change spec/${file}${key === '' ? '' : `, ${key}`}`),
      ];
    }),
  ];
}

/** Compares the guesses of the specification with a server. */
export const settleCommand: Command = {
  name: 'settle',
  summary: 'shows which guesses of the specification hold on a server, and what to edit',
  help,
  run,
};
