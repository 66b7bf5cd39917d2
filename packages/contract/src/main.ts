import {
  addSection,
  CommanderError,
  createProgram,
  type Command as ProgramCommand,
  refusalOf,
  withoutSeparator,
} from '@speech-api/program';
import { checkCommand } from './check/check.ts';
import type { Command, ExitCode, Surroundings } from './command/command.ts';
import { addToJobSummary } from './command/report-options.ts';
import { CannotJudge, UsageError } from './errors.ts';
import { explainCommand } from './explain.ts';
import { recordCommand } from './record.ts';
import { visible } from './report/text.ts';
import { toolName, toolVersion } from './tool.ts';
import { verifyCommand } from './verify/command.ts';

const commands: readonly Command<never>[] = [verifyCommand, checkCommand, recordCommand, explainCommand];

/** Runs one command line. Every failure is reported in one sentence and exits with 2. */
export async function main(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = createProgram(
    toolName,
    'Does a server keep the contract of the speech API?',
    toolVersion(),
  ).configureOutput({ writeOut: surroundings.out });
  addSection(program, 'Environment', [['SPEECH_API_KEY', 'the key of the server that verify calls']]);
  program.addHelpText(
    'after',
    '\nExits with 0 if the contract is kept, 1 if it is not, 2 if it could not be judged.',
  );
  for (const { name, summary, takes, options, notes, run } of commands) {
    const command: ProgramCommand = program
      .command(name)
      .description(summary)
      .addHelpText('after', `\n${notes}`);
    if (takes) command.argument(...takes);
    for (const option of options) command.addOption(option);
    command.action(async () => {
      code = await run(command.opts() as never, command.args, surroundings);
    });
  }
  const json = words.includes('--json');
  const named = commands.find(({ name }) => words.includes(name))?.name;
  try {
    await program.parseAsync(withoutSeparator(words), { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof CommanderError || error instanceof UsageError) {
      const { message, hint } =
        error instanceof CommanderError
          ? refusalOf(error, variableOf)
          : { message: error.message, hint: undefined };
      const help = [toolName, named, '--help'].filter(Boolean).join(' ');
      surroundings.error(`${shown(message)}${hint === undefined ? '' : ` (${hint})`}\nSee ${help}.\n`);
      if (json) surroundings.out(inJson({ reason: 'usage', message }));
    } else if (error instanceof CannotJudge) {
      surroundings.error(`${shown(error.message)}\n`);
      if (json) surroundings.out(inJson(error));
    } else {
      const trace = error instanceof Error && error.stack ? error.stack : why;
      surroundings.error(`speech-contract itself failed, and judged nothing: ${trace}\n`);
    }
    if (named === verifyCommand.name || named === checkCommand.name)
      await addToJobSummary(surroundings, ': nothing was judged', shown(why));
    return 2;
  }
}

/** Command lines are visible to others, so a key is a variable. */
function variableOf(option: string): string | undefined {
  return option.includes('key') ? 'SPEECH_API_KEY' : undefined;
}

/** A program that reads the report reads here why there is none. */
function inJson({ reason, message }: Pick<CannotJudge, 'reason' | 'message'>): string {
  return `${JSON.stringify({ version: 1, verdict: 'not judged', reason, message }, null, 2)}\n`;
}

/** Messages may contain words of a server or of a file name. */
function shown(message: string): string {
  return message.split('\n').map(visible).join('\n');
}
