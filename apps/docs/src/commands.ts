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
  /** Such as `speech voices list`. */
  readonly name: string;
  readonly usage: string;
  readonly description: string;
  readonly options: readonly Term[];
  readonly commands: readonly Term[];
  readonly examples: readonly Term[];
  /** Variables, settings and limits. */
  readonly sections: readonly { readonly title: string; readonly terms: readonly Term[] }[];
}

const fileOf = (name: string, path: string): string =>
  join(fileURLToPath(import.meta.resolve(`@speech-api/${name}/package.json`)), '..', path);

const speech = { name: 'speech', file: fileOf('cli', 'dist/speech.js') };
/** The other programs. The tools for agents ship these pages, so their own program is run from its source. */
const programs = [
  ...['sandbox', 'mock', 'relay', 'contract'].map((name) => ({
    name: `speech-${name}`,
    file: fileOf(name, 'dist/bin.js'),
  })),
  { name: 'speech-mcp', file: fileOf('mock', '../mcp/src/bin.ts') },
];

const shared = globalThis as { commandsOfSite?: ReturnType<typeof readCommands> };
// A build loads this module twice, for its settings and for its pages. The programs run once.
shared.commandsOfSite ??= readCommands();

/** `speech` itself, a page for each of its commands, and one for each other program. */
export const commands = await shared.commandsOfSite;

async function readCommands() {
  const overview = await readHelp(speech);
  const pages = await Promise.all([
    ...namesOf(overview).map((name) => readPage(speech, name)),
    ...programs.map((program) => readPage(program)),
  ]);
  return { overview, pages };
}

type Program = typeof speech;

/** A page of the reference: a command, or a program, with the commands below it. */
async function readPage(program: Program, name = '') {
  const command = await readHelp(program, name);
  const below = await Promise.all(
    namesOf(command).map((inner) => readHelp(program, `${name} ${inner}`.trim())),
  );
  return { slug: name || program.name, command, below };
}

function namesOf({ commands }: CommandHelp): string[] {
  return commands.map(({ term }) => term.split(' ')[0] ?? '').filter((name) => name !== 'help');
}

async function readHelp(program: Program, name = ''): Promise<CommandHelp> {
  const args = [program.file, ...name.split(' ').filter(Boolean), '--help'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const blocks = stdout.split(/\n\n(?=\S)/);
  const termsOf = (title: string): Term[] =>
    readTerms(blocks.find((block) => block.startsWith(`${title}:\n`)) ?? '');
  return {
    name: `${program.name} ${name}`.trim(),
    usage: /^Usage: (.*)/.exec(stdout)?.[1] ?? '',
    description: (blocks[1] ?? '').replaceAll(/\s+/g, ' ').trim(),
    options: [...termsOf('Arguments'), ...termsOf('Options')],
    commands: termsOf('Commands'),
    examples: termsOf('Examples'),
    sections: ['Environment', 'Settings', 'Limits']
      .map((title) => ({ title, terms: termsOf(title) }))
      .filter(({ terms }) => terms.length > 0),
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
