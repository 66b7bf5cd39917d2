import type { ParseArgsOptionsConfig } from 'node:util';
import { parseWords, readKey } from '../../command/arguments.ts';
import type { Command, ExitCode, Surroundings } from '../../command/command.ts';
import { listenForInterrupt } from '../../command/interrupt.ts';
import { UsageError } from '../../errors.ts';
import { visible, wrap } from '../../report/text.ts';
import { register } from '../../specification/document.ts';
import { costInWords } from '../describe.ts';
import { readSending, sendingOptions } from '../options.ts';
import { readTarget } from '../preflight.ts';
import { type Guess, planSettling, type SettleReport, settle, settleBudget } from './settle.ts';

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
  --only ID               this entry of unknowns.yaml alone; may be repeated
  --allow-changes         also creates, changes and deletes voice models of its own
  --max-calls N           maximum of calls (default ${settleBudget.calls})
  --max-characters N      maximum of characters to speak (default ${settleBudget.characters})
  --max-audio-seconds N   maximum of seconds to transcribe (default ${settleBudget.audioSeconds})
  --dry-run               prints what would be sent and what it costs, and sends nothing
  --timeout SECONDS       how long to wait for the next byte of an answer (default 20)
  --json                  the report as JSON on standard output

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
    const lines = candidates.map(({ entry, scenarios, reason }) => {
      const names = scenarios.map(({ name }) => name).join(', ');
      return `  ${entry.id}: ${reason === undefined ? names : `not played, ${reason}`}`;
    });
    out(`Nothing is sent. This is what would be:\n\n${lines.join('\n')}\n\n${announcement}`);
    return 0;
  }
  const { key } = readTarget({ ...options, key: readKey(surroundings) });
  error(`Playing ${announcement}`);
  const { signal, release } = listenForInterrupt(() =>
    error('Interrupted. Deleting what was created; interrupt again to exit at once.\n'),
  );
  try {
    const report = await settle({ ...options, key, signal });
    out(values.json ? `${JSON.stringify(report, undefined, 2)}\n` : inWords(report, width));
    return signal.aborted ? 2 : exitCodeOf(report);
  } finally {
    release();
  }
}

/** 1 if a guess does not hold, 2 if none was shown. */
function exitCodeOf({ guesses }: SettleReport): ExitCode {
  if (guesses.some(({ verdict }) => verdict === 'does not hold')) return 1;
  return guesses.some(({ verdict }) => verdict === 'holds') ? 0 : 2;
}

/** @throws UsageError if the register has no such entry */
function checkIds(only: readonly string[]): void {
  const ids = register().map(({ id }) => id);
  for (const wanted of only) {
    if (ids.includes(wanted)) continue;
    const [beginning = ''] = wanted.split('-');
    const near = ids.filter((id) => id.split('-').includes(beginning)).slice(0, 8);
    throw new UsageError(
      `--only ${wanted}: unknowns.yaml has no such entry. ${near.length > 0 ? `Use ${near.join(', ')}.` : '--dry-run lists them.'}`,
    );
  }
}

const titles = {
  'does not hold': 'Do not hold',
  holds: 'Hold',
  'not shown': 'Not shown by the answers',
  'not played': 'Not played',
} as const satisfies Readonly<Record<Guess['verdict'], string>>;

function inWords({ guesses, spent, leftBehind }: SettleReport, width: number): string {
  const byVerdict = Map.groupBy(guesses, ({ verdict }) => verdict);
  const sections = Object.entries(titles).flatMap(([verdict, title]) => {
    const some = byVerdict.get(verdict as Guess['verdict']) ?? [];
    return [`${title}: ${some.length}`, ...some.flatMap((guess) => inLines(guess, width))];
  });
  const left = leftBehind.map((each) => `Left on the server, please delete by hand: ${visible(each)}`);
  return `${[...sections, `Sent ${costInWords(spent)}.`, ...left].join('\n')}\n`;
}

function inLines({ id, choice, reason, found, change, verdict }: Guess, width: number): string[] {
  if (verdict === 'holds') return [`  ${id}`];
  if (verdict !== 'does not hold') return paragraph(`${id}: ${visible(reason ?? '')}`, '  ', width);
  return [
    ...paragraph(`${id}: ${choice}`, '  ', width),
    ...found.flatMap(({ rule, exchange, message, curl }) => [
      ...paragraph(`found (${rule}) ${visible(exchange)}: ${visible(message)}`, '      ', width),
      ...(curl === undefined ? [] : [`      ${visible(curl)}`]),
    ]),
    ...change.map(({ file, key }) => `      change spec/${file}${key === '' ? '' : `, ${key}`}`),
  ];
}

const paragraph = (text: string, indent: string, width: number): string[] =>
  wrap(text, Math.max(20, width - indent.length)).map((line) => indent + line);

/** Compares the guesses of the specification with a server. */
export const settleCommand: Command = {
  name: 'settle',
  summary: 'shows which guesses of the specification hold on a server, and what to edit',
  help,
  run,
};
