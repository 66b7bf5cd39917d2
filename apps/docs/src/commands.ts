import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** An option, an argument or a command below another one, as the program's own help describes it. */
interface Term {
  readonly term: string;
  readonly meaning: string;
}

export interface CommandHelp {
  /** Such as `voices list`; empty for the program itself. */
  readonly name: string;
  readonly usage: string;
  readonly description: string;
  readonly options: readonly Term[];
  readonly commands: readonly Term[];
  readonly examples: readonly Term[];
}

const program = join(fileURLToPath(import.meta.resolve('@speech-api/cli/package.json')), '../dist/speech.js');

const overview = await readHelp('');

/** The program itself, and a page for each of its commands, with the commands below it. */
export const commands = {
  overview,
  pages: await Promise.all(
    namesOf(overview).map(async (slug) => {
      const command = await readHelp(slug);
      const below = await Promise.all(namesOf(command).map((name) => readHelp(`${slug} ${name}`)));
      return { slug, command, below };
    }),
  ),
};

function namesOf({ commands }: CommandHelp): string[] {
  return commands.map(({ term }) => term.split(' ')[0] ?? '').filter((name) => name !== 'help');
}

async function readHelp(name: string): Promise<CommandHelp> {
  const args = [program, ...name.split(' ').filter(Boolean), '--help'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const blocks = stdout.split(/\n\n(?=\S)/);
  const termsOf = (title: string): Term[] =>
    readTerms(blocks.find((block) => block.startsWith(`${title}:\n`)) ?? '');
  return {
    name,
    usage: /^Usage: (.*)/.exec(stdout)?.[1] ?? '',
    description: (blocks[1] ?? '').replaceAll(/\s+/g, ' ').trim(),
    options: [...termsOf('Arguments'), ...termsOf('Options')],
    commands: termsOf('Commands'),
    examples: termsOf('Examples'),
  };
}

/** Lines of a term, at least two spaces and what it means, which may go on in the lines below. */
function readTerms(block: string): Term[] {
  const terms: { term: string; meaning: string }[] = [];
  for (const line of block.split('\n').slice(1)) {
    const [, term, meaning] = /^ {2}(\S.*?)(?: {2,}(\S.*))?$/.exec(line) ?? [];
    const last = terms.at(-1);
    if (term !== undefined) terms.push({ term, meaning: meaning ?? '' });
    else if (last !== undefined) last.meaning = `${last.meaning} ${line.trim()}`.trim();
  }
  return terms;
}
