import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

export { Command, CommanderError, InvalidArgumentError, Option };

/** The words of a command line do not go together. The message says what would work. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What the words of a command line give. An error is one of usage. */
export function asUsage<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/** A program whose help is made from its options, and that throws a `CommanderError` for a wrong word. */
export function createProgram(name: string, summary: string, version: string): Command {
  return new Command(name)
    .description(summary)
    .version(version)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ writeErr: () => {} });
}

/** Where a setting that was written like an option stands instead: the name of a variable. */
export type VariableOf = (option: string) => string | undefined;

export function refusalOf(
  { code, message }: CommanderError,
  variableOf: VariableOf = () => undefined,
): { readonly message: string; readonly hint: string | undefined } {
  const [, full = '', guess] = /^(?:error: )?(.*?)(?:\s*\(Did you mean (.*)\?\))?$/s.exec(message) ?? [];
  // What was given to an unknown option may be a key.
  const reason = full.replace(/^(unknown option '--[\w-]+)=.*$/s, "$1'");
  const [, option] = /^unknown option '--([\w-]+)/.exec(reason) ?? [];
  const variable = option === undefined ? undefined : variableOf(option);
  if (variable !== undefined) return { message: reason, hint: `it is a variable: set ${variable}` };
  if (code === 'commander.help') return { message: 'a command is missing', hint: undefined };
  return { message: reason, hint: guess === undefined ? undefined : `did you mean ${guess}?` };
}

/** A script runner may pass on its own separator as the first word. */
export function withoutSeparator(words: readonly string[]): readonly string[] {
  return words[0] === '--' ? words.slice(1) : words;
}

/**
 * Runs what the words name. A wrong command line ends with 2 and one line that says why, any other failure with 1 and its message.
 *
 * @param words - Without the separator of a script runner.
 */
export async function runProgram(
  program: Command,
  words: readonly string[] = withoutSeparator(process.argv.slice(2)),
  variableOf?: VariableOf,
): Promise<void> {
  // Output that nobody reads, or that a full disk refuses, ends no program.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    // The help or the version was asked for.
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const isUsage = error instanceof CommanderError || error instanceof UsageError;
    const { message, hint } =
      error instanceof CommanderError
        ? refusalOf(error, variableOf)
        : { message: error instanceof Error ? error.message : String(error), hint: undefined };
    const line = `${program.name()}: ${message}${hint === undefined ? '' : ` (${hint})`}\n`;
    process.stderr.write(isUsage ? `${line}See ${program.name()} --help.\n` : line);
    process.exitCode = isUsage ? 2 : 1;
  }
}

/** Adds rows of a name and its meaning below the options of a help. */
export function addSection(
  command: Command,
  title: string,
  rows: readonly (readonly [name: string, meaning: string])[],
): Command {
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`);
  return command.addHelpText('after', `\n${title}:\n${lines.join('\n')}`);
}

/** A parser for an option that may be repeated: its values become a list. */
export function repeated<Value = string>(
  parse: (text: string) => readonly Value[] = (text) => [text as Value],
): (text: string, before?: readonly Value[]) => Value[] {
  return (text, before = []) => [...before, ...parse(text)];
}

export function wholeNumber(
  minimum: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^-?\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    const range =
      maximum === Number.MAX_SAFE_INTEGER ? `, at least ${minimum}` : ` from ${minimum} to ${maximum}`;
    throw new InvalidArgumentError(`It must be a whole number${range}.`);
  };
}

/**
 * Calls `stop` at the first Ctrl-C or request to end; a second one ends the process at once.
 *
 * @param stop - Returns false if it only finishes its current work, so that the next signal asks it again.
 * @returns a function that listens no more
 */
export function onInterrupt(
  stop: (signal: NodeJS.Signals) => unknown,
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'],
): () => void {
  let isStopping = false;
  const listen = (signal: NodeJS.Signals): void => {
    // A terminal that closes says so, and its shell may say it again.
    if (isStopping && signal !== 'SIGHUP') process.exit(130);
    if (!isStopping) isStopping = stop(signal) !== false;
  };
  for (const signal of signals) process.on(signal, listen);
  return () => {
    for (const signal of signals) process.off(signal, listen);
  };
}
