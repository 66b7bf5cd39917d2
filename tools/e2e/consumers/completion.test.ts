import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openTerminal, type Screen } from '../test/testing/screen.ts';
import { cleanEnvironment, runSpeech, scratchFolder, speechPath } from '../test/testing/speech-command.ts';

const folder = scratchFolder();
const bin = join(folder, 'bin');
const PATH = `${bin}:${process.env.PATH}`;
const lineStart = '\u0001';

/** In CI, a missing shell is a failure. */
const missing = (shell: string): boolean =>
  process.env.CI === undefined && spawnSync(shell, ['--version']).error !== undefined;

beforeAll(() => {
  for (const name of ['interview.wav', 'my talk.wav']) writeFileSync(join(folder, name), '');
  mkdirSync(bin);
  const shim = `#!/bin/sh\nexec "${process.execPath}" "${speechPath}" "$@"\n`;
  writeFileSync(join(bin, 'speech'), shim, { mode: 0o755 });
});

async function startLine(shell: string): Promise<string> {
  const { stdout } = await runSpeech(['complete', '--help'], { folder });
  const line = stdout.split('\n').find((shown) => shown.includes(`speech complete ${shell}`));
  return line?.trim().split(/ {2,}/)[0] ?? `no line for ${shell}`;
}

/** Types each line, has it completed at each tab, and lets the shell itself say what it has become. */
async function completes(shell: Screen, lines: Readonly<Record<string, string>>): Promise<void> {
  for (const [typed, becomes] of Object.entries(lines)) {
    shell.type(`${typed}${lineStart}echo :\r`);
    await shell.shows(new RegExp(`[\r\n]:${becomes.replaceAll('.', '\\.')}\\s`));
  }
  expect(shell.seen).not.toMatch(/readonly|not found|no matches/);
  shell.type('exit\r');
  await shell.ended;
}

const lines = {
  'speech trans\t--capt\tvt\tinterv\t': 'speech transcribe --captions vtt interview.wav',
  'speech voi\tup\t--titl\t': 'speech voices update --title',
  'speech speak x --out\t./inter\t': 'speech speak x --output ./interview.wav',
  'speech transcribe my\t': 'speech transcribe my talk.wav',
};

const open = (shell: string, args: readonly string[]): Screen =>
  openTerminal(shell, args, folder, { PATH, PS1: 'ready$ ' });
/** In the start file and read again. */
const twice = async (shell: string): Promise<string> => `${await startLine(shell)}\r`.repeat(2);

test('bash completes commands, options and the names of files', async () => {
  const shell = open('bash', ['--norc', '--noprofile', '-i']);
  await shell.shows(/ready\$ /);
  shell.type(await twice('bash'));
  await completes(shell, lines);
});

describe.skipIf(missing('zsh'))(`zsh${missing('zsh') ? ' (not installed)' : ''}`, () => {
  test('completes commands, options and the names of files', async () => {
    const shell = open('zsh', ['-f', '-i']);
    await shell.shows(/ready\$ /);
    shell.type(`autoload -Uz compinit; compinit -D -u\r${await twice('zsh')}`);
    await completes(shell, { ...lines, 'speech speak x --format=o\t': 'speech speak x --format=opus' });
  });
});

describe.skipIf(missing('fish'))(`fish${missing('fish') ? ' (not installed)' : ''}`, () => {
  test('completes commands, options and the names of files', async () => {
    const line = await startLine('fish');
    const asked = [
      ['speech trans', ['transcribe']],
      ['speech transcribe --capt', ['--captions']],
      ['speech transcribe --captions ', ['srt', 'vtt']],
      ['speech transcribe --captions vtt interv', ['interview.wav']],
      ['speech voices up', ['update']],
      ['speech speak x --output ./inter', ['./interview.wav']],
      ['speech speak x --format=o', ['--format=opus']],
      ['speech transcribe my', ['my talk.wav']],
    ] as const;
    const script = [
      ...Array.from({ length: 2 }, () => line),
      ...asked.map(([typed]) => `complete -C '${typed}'; echo end`),
    ];
    const { error, stdout, stderr } = spawnSync('fish', ['--no-config', '-c', script.join('\n')], {
      cwd: folder,
      env: cleanEnvironment(folder, { PATH }),
      encoding: 'utf8',
    });
    expect(error).toBeUndefined();
    const found = stdout.split('end\n').map((candidates) => candidates.replaceAll(/\t.*$/gm, '').trim());
    expect([found.slice(0, -1), stderr]).toEqual([asked.map(([, candidates]) => candidates.join('\n')), '']);
  });
});
