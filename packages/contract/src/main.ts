import { checkCommand } from './check/check.ts';
import type { Command, ExitCode, Surroundings } from './command/command.ts';
import { CannotJudge, UsageError } from './errors.ts';
import { explainCommand } from './explain.ts';
import { recordCommand } from './record.ts';
import { visible } from './report/text.ts';
import { toolVersion } from './tool.ts';
import { verifyCommand } from './verify/command.ts';

const commands: readonly Command[] = [verifyCommand, checkCommand, recordCommand, explainCommand];

const overview = `speech-contract: does a server keep the contract of the speech API?

Usage: speech-contract COMMAND [options]

${commands.map(({ name, summary }) => `  ${name.padEnd(10)}${summary}`).join('\n')}

  --help      this text; with a command, its options
  --version   the version

Exits with 0 if the contract is kept, 1 if it is not, 2 if it could not be judged.
`;

/** Runs one command line. Every failure is reported in one sentence and exits with 2. */
export async function main(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const [name, ...others] = words;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const [about] = others;
    const command = commands.find((entry) => entry.name === about);
    if (name === undefined) surroundings.error(overview);
    else surroundings.out(command?.help ?? overview);
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    surroundings.out(`${toolVersion()}\n`);
    return 0;
  }
  const command = commands.find((entry) => entry.name === name);
  if (command === undefined) {
    const names = commands.map((entry) => entry.name);
    const hint = `Use one of ${names.join(', ')}; --help describes them.`;
    surroundings.error(`Unknown command "${visible(name)}". ${hint}\n`);
    return 2;
  }
  if (others.includes('--help')) {
    surroundings.out(command.help);
    return 0;
  }
  try {
    return await command.run(others, surroundings);
  } catch (error) {
    if (error instanceof UsageError) {
      surroundings.error(`${line(error)}\nSee speech-contract ${command.name} --help.\n`);
      if (others.includes('--json')) surroundings.out(inJson({ reason: 'usage', message: error.message }));
    } else if (error instanceof CannotJudge) {
      surroundings.error(`${line(error)}\n`);
      if (others.includes('--json')) surroundings.out(inJson(error));
    } else {
      surroundings.error(`speech-contract itself failed, and judged nothing: ${describe(error)}\n`);
    }
    return 2;
  }
}

/** A program that reads the report reads here why there is none. */
function inJson({ reason, message }: Pick<CannotJudge, 'reason' | 'message'>): string {
  return `${JSON.stringify({ version: 1, verdict: 'not judged', reason, message }, null, 2)}\n`;
}

/** Messages may contain words of a server or of a file name. */
function line(error: Error): string {
  return error.message.split('\n').map(visible).join('\n');
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
