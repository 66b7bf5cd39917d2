import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { addToChangelog, draft, type Entry, parseChangelog } from './changelog.ts';
import { compare } from './compare.ts';
import {
  newestRelease,
  readBuilt,
  readRelease,
  type Snapshot,
  specificationFolder,
  writeRelease,
} from './snapshot.ts';
import { judge, report, type Verdict } from './verdict.ts';

/** Input and output of the command. */
export interface Surroundings {
  /** Folder of the specification, with a trailing slash. */
  readonly folder: string;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** 0: may ship. 1: may not ship. 2: could not be judged. */
export type ExitCode = 0 | 1 | 2;

const help = `npm run diff [-- COMMAND] [OPTIONS]

May this change of the specification ship? Compares what is built with the newest file of spec/releases.

  check     judge the change (the default)
  draft     print lines for spec/CHANGELOG.md that the change asks for; --write puts them there
  release   write spec/releases/<version>.json, when the change may ship

  --base FILE  compare with this release instead of the newest
  --json       the verdict as JSON
  --help       show this

Exit codes: 0 may ship, 1 may not, 2 could not be judged.
`;

/** Runs one command of the gate. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { write, writeError } = surroundings;
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: {
        base: { type: 'string' },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    const [command = 'check', ...rest] = positionals;
    if (values.help) {
      write(help);
      return 0;
    }
    if (!['check', 'draft', 'release'].includes(command) || rest.length > 0) {
      throw new Error(`There is no command "${positionals.join(' ')}".\n\n${help}`);
    }
    return await runCommand(command, values, surroundings);
  } catch (error) {
    writeError(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

interface Options {
  readonly base?: string | undefined;
  readonly json: boolean;
  readonly write: boolean;
}

async function runCommand(command: string, options: Options, surroundings: Surroundings): Promise<ExitCode> {
  const { folder, write } = surroundings;
  const built = readBuilt(folder);
  const base = options.base === undefined ? newestRelease(`${folder}releases/`) : readRelease(options.base);
  if (!base) {
    if (command === 'release') return release(built, surroundings);
    write('There is no release to compare with yet, so the changelog needs no line.\n');
    return 0;
  }
  const changelogFile = `${folder}CHANGELOG.md`;
  const changelog = readFileSync(changelogFile, 'utf8');
  const entries = parseChangelog(changelog);
  const findings = await compare(base, built);
  const verdict = judge(base.version, built.version, findings, entries);

  if (command === 'draft') {
    const lines = draft(findings, entryOf(entries, verdict));
    const heading = built.version === base.version ? verdict.leastVersion : built.version;
    if (options.write && lines.length > 0)
      writeFileSync(changelogFile, addToChangelog(changelog, heading, lines));
    write(
      lines.length === 0
        ? 'The changelog names every change.\n'
        : lines.map((line) => `- ${line}\n`).join(''),
    );
    return 0;
  }
  write(options.json ? `${JSON.stringify(verdict, null, 2)}\n` : report(verdict));
  if (!verdict.ships) return 1;
  return command === 'release' ? release(built, surroundings) : 0;
}

function entryOf(entries: ReadonlyMap<string, Entry>, { version, base, leastVersion }: Verdict): Entry {
  return entries.get(version === base ? leastVersion : version) ?? [];
}

function release(built: Snapshot, { folder, write }: Surroundings): ExitCode {
  const written = writeRelease(built, `${folder}releases/`);
  write(written === undefined ? `${built.version} was released before.\n` : `Wrote ${written}; commit it.\n`);
  return 0;
}

/** The specification of this repository, and the streams of this process. */
export const here: Surroundings = {
  folder: specificationFolder,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
};
